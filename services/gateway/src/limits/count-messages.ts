const codeOf = (sign: string): number => sign.charCodeAt(0);

const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const opening = new Set([codeOf('['), codeOf('{')]);
const closing = new Set([codeOf(']'), codeOf('}')]);
/** White space, and the bytes of a byte order mark. */
const skipped = new Set([...' \t\n\r'].map(codeOf).concat(0xef, 0xbb, 0xbf));

/** No service takes more messages in a body. */
const messagesMax = 1_000;

/**
 * The messages of a body of JSON: the elements of an array, else 1. They are counted by the commas between them, without
 * parsing the body. What is no JSON has some number of messages; the service rejects it.
 */
export const countMessages = (blocks: readonly Buffer[]): number => {
  let depth = 0;
  let messages = 1;
  let isInText = false;
  let isEscaped = false;
  for (const block of blocks) {
    for (const byte of block) {
      if (isInText) {
        isInText = isEscaped || byte !== quote;
        isEscaped = !isEscaped && byte === backslash;
      } else if (byte === quote) {
        isInText = true;
      } else if (opening.has(byte)) {
        if (depth === 0 && byte !== codeOf('[')) {
          return 1;
        }
        depth += 1;
      } else if (closing.has(byte)) {
        depth -= 1;
      } else if (byte === comma && depth === 1) {
        messages += 1;
      } else if (depth === 0 && !skipped.has(byte)) {
        return messages;
      }
      if (messages >= messagesMax) {
        return messages;
      }
    }
  }
  return messages;
};
