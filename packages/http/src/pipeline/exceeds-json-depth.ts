const quoteSign = 0x22;
const backslash = 0x5c;
const [arrayBegins, arrayEnds] = [0x5b, 0x5d];
const [objectBegins, objectEnds] = [0x7b, 0x7d];

/**
 * True when the brackets of a JSON text in UTF-8, outside its strings, are nested deeper than `max`. It reads
 * the raw bytes before anything parses them: `JSON.stringify` and zod overflow the stack at about
 * 5,000 levels, and a million levels take `JSON.parse` itself a third of a second.
 */
export const exceedsJsonDepth = (max: number, bytes: Buffer): boolean => {
  let depth = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quoteSign) {
      index = endOfString(bytes, index + 1);
    } else if (byte === arrayBegins || byte === objectBegins) {
      depth += 1;
      if (depth > max) {
        return true;
      }
    } else if (byte === arrayEnds || byte === objectEnds) {
      depth -= 1;
    }
  }
  return false;
};

/** Most strings end within these bytes, which are cheaper to check one by one than with a search. */
const nearBytes = 24;

/** The index of the quote that ends the string whose text begins at `start`. */
export const endOfString = (bytes: Buffer, start: number): number => {
  let at = start;
  while (at < bytes.length) {
    for (const near = at + nearBytes; at < near; at += 1) {
      if (bytes[at] === quoteSign) {
        return at;
      }
      at += bytes[at] === backslash ? 1 : 0;
    }
    const quote = bytes.indexOf(quoteSign, at);
    if (quote === -1) {
      break;
    }
    let escaping = quote;
    while (escaping > at && bytes[escaping - 1] === backslash) {
      escaping -= 1;
    }
    if ((quote - escaping) % 2 === 0) {
      return quote;
    }
    at = quote + 1;
  }
  return bytes.length;
};
