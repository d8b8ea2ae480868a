import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { endOfString } from './exceeds-json-depth.ts';

const [arrayBegins, arrayEnds] = [0x5b, 0x5d];
const [objectBegins, objectEnds] = [0x7b, 0x7d];
const [quoteSign, comma] = [0x22, 0x2c];

/** A large array or object of a JSON text, and where it can be cut. Places are indexes of bytes. */
export type LargeValue = {
  readonly isArray: boolean;
  readonly start: number;
  /** Behind its closing bracket. */
  readonly end: number;
  readonly segments: readonly Segment[];
};

/** Some of the elements of a large value, without the comma that follows; only the last may be large. */
export type Segment = {
  readonly start: number;
  readonly end: number;
  /** Where its last element begins. */
  readonly lastStart: number;
  /** The array or object in its last element. */
  readonly large: LargeValue | null;
};

export type CutOptions = {
  readonly depthMax: number;
  /** Segments are at least as long. */
  readonly segmentBytes: number;
};

/** The state of an array or object that is still open. */
type Open = {
  isArray: boolean;
  start: number;
  segmentStart: number;
  lastStart: number;
  large: LargeValue | null;
  segments: Segment[];
};

/** Bytes between two yields to the event loop: some milliseconds. */
const bytesAtOnce = 256 * 1024;

/**
 * Finds the large arrays and objects of a JSON text in UTF-8, and where they can be cut. Checks only brackets,
 * commas and strings; the parser of the segments checks the rest. Returns null when nothing is large. Throws a
 * SyntaxError when brackets do not match.
 */
export const findJsonCuts = async (
  bytes: Buffer,
  { depthMax, segmentBytes }: CutOptions,
): Promise<LargeValue | 'too deep' | null> => {
  const open = Array.from({ length: depthMax + 1 }, newOpen);
  let depth = 0;
  let pauseAt = bytesAtOnce;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === quoteSign) {
      index = endOfString(bytes, index + 1);
    } else if (byte === arrayBegins || byte === objectBegins) {
      depth += 1;
      if (depth > depthMax) {
        return 'too deep';
      }
      begin(open[depth] as Open, byte === arrayBegins, index);
    } else if (byte === comma && depth > 0) {
      const value = open[depth] as Open;
      if (index - value.segmentStart >= segmentBytes) {
        cut(value, index);
      }
      value.lastStart = index + 1;
    } else if (byte === arrayEnds || byte === objectEnds) {
      const value = open[depth] as Open;
      if (depth === 0 || value.isArray !== (byte === arrayEnds)) {
        throw new SyntaxError('A closing bracket matches no opening one');
      }
      depth -= 1;
      if (value.segments.length > 0 || index - value.start >= segmentBytes) {
        cut(value, index);
        const { isArray, start, segments } = value;
        (open[depth] as Open).large = { isArray, start, end: index + 1, segments };
      }
    }
    if (index >= pauseAt) {
      pauseAt = index + bytesAtOnce;
      await yieldToEventLoop();
    }
  }
  if (depth > 0) {
    throw new SyntaxError('A bracket is missing');
  }
  return open[0]?.large ?? null;
};

const newOpen = (): Open => ({
  isArray: false,
  start: 0,
  segmentStart: 0,
  lastStart: 0,
  large: null,
  segments: [],
});

const begin = (value: Open, isArray: boolean, start: number): void => {
  value.isArray = isArray;
  value.start = start;
  value.segmentStart = start + 1;
  value.lastStart = start + 1;
  value.large = null;
  if (value.segments.length > 0) {
    value.segments = [];
  }
};

const cut = (value: Open, end: number): void => {
  const { segmentStart: start, lastStart, large } = value;
  value.segments.push({ start, end, lastStart, large });
  value.segmentStart = end + 1;
  value.large = null;
};
