import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { findJsonCuts, type LargeValue, type Segment } from './find-json-cuts.ts';
import { exceedsJsonDepth } from './exceeds-json-depth.ts';

export type ParseOptions = {
  /** Brackets that may be nested. */
  readonly depthMax: number;
  /** About so many bytes are parsed without yielding. */
  readonly segmentBytes?: number;
};

/** Arrays and objects are nested deeper than `depthMax`. */
export class JsonDepthError extends Error {}

/** Others wait for the event loop at most a few times this long. */
const msAtOnce = 8;

/**
 * Parses JSON in UTF-8 as `JSON.parse` does, in segments, and yields to the event loop in between: `JSON.parse`
 * blocks it for half a second with 32 MiB, up to five with small keys and arrays. Throws a SyntaxError for invalid
 * JSON.
 */
export const parseJsonInSegments = async (
  bytes: Buffer,
  { depthMax, segmentBytes = 64 * 1024 }: ParseOptions,
): Promise<unknown> => {
  if (bytes.length <= segmentBytes) {
    if (exceedsJsonDepth(depthMax, bytes)) {
      throw new JsonDepthError();
    }
    return JSON.parse(bytes.toString());
  }
  const large = await findJsonCuts(bytes, { depthMax, segmentBytes });
  if (large === 'too deep') {
    throw new JsonDepthError();
  }
  if (!large) {
    // One text or number, or no JSON.
    return JSON.parse(bytes.toString());
  }
  const parser = { bytes, pause: pauses() };
  expectBlank(parser, 0, large.start);
  expectBlank(parser, large.end, bytes.length);
  return parseLarge(parser, large);
};

type Parser = { readonly bytes: Buffer; readonly pause: () => Promise<void> };

const pauses = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > msAtOnce) {
      await yieldToEventLoop();
      since = performance.now();
    }
  };
};

const textOf = ({ bytes }: Parser, start: number, end: number): string =>
  bytes.toString('utf8', start, end);

const expectBlank = (parser: Parser, start: number, end: number): void => {
  if (/[^ \t\r\n]/.test(textOf(parser, start, end))) {
    throw new SyntaxError('Unexpected text beside a value');
  }
};

const parseLarge = async (parser: Parser, value: LargeValue): Promise<unknown> => {
  const { segments, start, end } = value;
  if (segments.length === 1 && !segments[0]?.large) {
    return JSON.parse(textOf(parser, start, end));
  }
  return value.isArray ? parseArray(parser, value) : parseObject(parser, value);
};

const parseArray = async (parser: Parser, { segments }: LargeValue): Promise<unknown[]> => {
  const list: unknown[] = [];
  for (const segment of segments) {
    const { large, lastStart } = segment;
    for (const each of Object.values(parseSmall(parser, segment, '[]'))) {
      list.push(each);
    }
    if (large) {
      expectBlank(parser, lastStart, large.start);
      expectBlank(parser, large.end, segment.end);
      list.push(await parseLarge(parser, large));
    }
    await parser.pause();
  }
  return list;
};

const parseObject = async (
  parser: Parser,
  { segments }: LargeValue,
): Promise<Record<string, unknown>> => {
  const object = {};
  for (const segment of segments) {
    const { large } = segment;
    for (const [key, value] of Object.entries(parseSmall(parser, segment, '{}'))) {
      set(object, key, value);
    }
    if (large) {
      expectBlank(parser, large.end, segment.end);
      set(object, keyBefore(parser, segment, large), await parseLarge(parser, large));
    }
    await parser.pause();
  }
  return object;
};

/** The elements of a segment without the large one. Without a large one, there is at least one. */
const parseSmall = (
  parser: Parser,
  { start, end, lastStart, large }: Segment,
  brackets: '[]' | '{}',
): object => {
  if (large && lastStart === start) {
    return JSON.parse(brackets) as object;
  }
  const text = textOf(parser, start, large ? lastStart - 1 : end);
  const elements = JSON.parse(brackets[0] + text + brackets[1]) as object;
  if (Object.keys(elements).length === 0) {
    throw new SyntaxError('An element is missing');
  }
  return elements;
};

const keyBefore = (parser: Parser, { lastStart }: Segment, large: LargeValue): string => {
  const text = textOf(parser, lastStart, large.start);
  const [key] = Object.keys(JSON.parse(`{${text}null}`) as object);
  if (key === undefined) {
    throw new SyntaxError('A key is missing');
  }
  return key;
};

/** As `JSON.parse` does: `__proto__` is a key like any other. */
const set = (object: object, key: string, value: unknown): void => {
  if (key === '__proto__') {
    const own = { value, enumerable: true, writable: true, configurable: true };
    Object.defineProperty(object, key, own);
  } else {
    (object as Record<string, unknown>)[key] = value;
  }
};
