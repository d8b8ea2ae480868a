const codeOf = (sign: string): number => sign.charCodeAt(0);

const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const openingBracket = codeOf('[');
const opening = new Set([openingBracket, codeOf('{')]);
const closing = new Set([codeOf(']'), codeOf('}')]);
/** White space, and the bytes of a byte order mark. */
const skipped = new Set([...[' ', '\t', '\n', '\r'].map(codeOf), 0xef, 0xbb, 0xbf]);

/** No service takes more messages in a body. */
const messagesMax = 1_000;

/** Where the scan of a body is. */
type Scan = { depth: number; messages: number; isInText: boolean; isEscaped: boolean };

/**
 * The messages of a body of JSON: the elements of an array, else 1. They are counted by the commas between them, without
 * parsing the body. What is no JSON has some number of messages; the service rejects it.
 */
export const countMessages = (blocks: readonly Buffer[]): number => {
  const scan: Scan = { depth: 0, messages: 1, isInText: false, isEscaped: false };
  for (const block of blocks) {
    for (const byte of block) {
      if (!(scan.isInText ? passText(scan, byte) : pass(scan, byte))) {
        return scan.messages;
      }
    }
  }
  return scan.messages;
};

const passText = (scan: Scan, byte: number): boolean => {
  scan.isInText = scan.isEscaped || byte !== quote;
  scan.isEscaped = !scan.isEscaped && byte === backslash;
  return true;
};

/** Passes a byte outside of texts; false: the count is known. */
const pass = (scan: Scan, byte: number): boolean => {
  if (scan.depth === 0 && byte !== openingBracket) {
    return skipped.has(byte);
  }
  if (byte === quote) {
    scan.isInText = true;
  } else if (opening.has(byte)) {
    scan.depth += 1;
  } else if (closing.has(byte)) {
    scan.depth -= 1;
  } else if (byte === comma && scan.depth === 1) {
    scan.messages += 1;
  }
  return scan.messages < messagesMax;
};
