import { setImmediate as nextTurn } from 'node:timers/promises';

/** Nobody waits longer for the event loop than a few times this. */
const msAtOnce = 8;

/** More values than these, or more characters, are written in pieces. */
const smallMax = { values: 5_000, characters: 256 * 1024 } as const;

/** Writes what was parsed of JSON as `JSON.stringify` does, in UTF-8 and in parts, between which others go on. */
export const writeJsonInParts = async (value: unknown): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let since = performance.now();
  let text = '';
  for (const piece of piecesOf(value)) {
    text += piece;
    if (text.length > smallMax.characters) {
      parts.push(Buffer.from(text));
      text = '';
    }
    if (performance.now() - since > msAtOnce) {
      await nextTurn();
      since = performance.now();
    }
  }
  parts.push(Buffer.from(text));
  return Buffer.concat(parts);
};

function* piecesOf(value: unknown): Generator<string, void> {
  if (typeof value !== 'object' || value === null || isSmall(value)) {
    yield JSON.stringify(value);
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

/** Looks at no more than what is small. */
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
    if (characters > smallMax.characters) {
      return false;
    }
  }
  return true;
};
