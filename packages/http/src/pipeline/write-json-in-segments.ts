import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Others wait for the event loop at most a few times this long. */
const msAtOnce = 8;

/** Values beyond these limits are written in pieces. */
const smallMax = { values: 5_000, characters: 256 * 1024 } as const;

/**
 * Writes JSON in UTF-8 as `JSON.stringify` does, but no number as null, in segments, and yields to the event loop in between. With a good
 * `bytesExpected`, the result is in memory only once.
 */
export const writeJsonInSegments = async (value: unknown, bytesExpected = 0): Promise<Buffer> => {
  const written = growingBuffer(bytesExpected);
  let since = performance.now();
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length > smallMax.characters) {
      written.add(text);
      text = '';
    }
    if (performance.now() - since > msAtOnce) {
      await yieldToEventLoop();
      since = performance.now();
    }
  }
  written.add(text);
  return written.bytes();
};

/** A number like 1e999, which `JSON.parse` reads as infinite and `JSON.stringify` writes as null. */
const isBeyondDouble = (value: unknown): value is number =>
  typeof value === 'number' && !Number.isFinite(value);

/** Appends UTF-8 to a buffer; doubles the buffer when it is too small. */
const growingBuffer = (bytesExpected: number) => {
  let space = Buffer.allocUnsafe(bytesExpected);
  let length = 0;
  return {
    add: (text: string): void => {
      const needed = length + Buffer.byteLength(text);
      if (needed > space.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, 2 * space.length));
        space.copy(larger, 0, 0, length);
        space = larger;
      }
      length += space.write(text, length);
    },
    bytes: (): Buffer => space.subarray(0, length),
  };
};

function* piecesOf(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null || isSmall(value)) {
    yield isBeyondDouble(value) ? `${value < 0 ? '-' : ''}1e999` : JSON.stringify(value);
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, each] of value.entries()) {
      yield index === 0 ? '' : ',';
      yield* piecesOf(each);
    }
    yield ']';
  } else {
    let before = '{';
    for (const [key, each] of Object.entries(value)) {
      if (each !== undefined) {
        yield `${before}${JSON.stringify(key)}:`;
        yield* piecesOf(each);
        before = ',';
      }
    }
    yield before === '{' ? '{}' : '}';
  }
}

/** Whether `JSON.stringify` writes it well at once. Stops counting at the limits. */
const isSmall = (value: object): boolean => {
  const queue: unknown[] = [value];
  let characters = 0;
  for (const each of queue) {
    if (typeof each === 'string') {
      characters += each.length;
    } else if (typeof each === 'object' && each !== null) {
      const inner = Array.isArray(each) ? each : Object.values(each);
      if (queue.length + inner.length > smallMax.values) {
        return false;
      }
      inner.forEach((one) => queue.push(one));
    }
    if (characters > smallMax.characters || isBeyondDouble(each)) {
      return false;
    }
  }
  return true;
};
