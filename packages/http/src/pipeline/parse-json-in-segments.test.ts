import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonDepthError, parseJsonInSegments } from './parse-json-in-segments.ts';
import { writeJsonInSegments } from './write-json-in-segments.ts';

/** What a parser makes of a text, so that two can be compared: order and `__proto__` count. */
const outcomeOf = async (parse: () => unknown): Promise<string> => {
  try {
    return JSON.stringify(await parse());
  } catch (error) {
    return error instanceof SyntaxError ? 'no JSON' : String(error);
  }
};

const streamed = (text: string, segmentBytes: number): Promise<string> =>
  outcomeOf(() => parseJsonInSegments(Buffer.from(text), { depthMax: 256, segmentBytes }));

const segmentBytes = fc.constantFrom(1, 2, 5, 16, 64);

/** JSON with blanks in it, keys that come twice, and such that mean something to JavaScript. */
const text = fc
  .tuple(fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
  .chain((json) =>
    fc.constantFrom(
      json,
      ` ${json}\n`,
      `[${json},${json}]`,
      `{"__proto__":${json},"a":${json},"a":[${json}],"1":{}}`,
    ),
  );

describe('parsing JSON in segments', () => {
  it('gives what JSON.parse gives', async () => {
    await fc.assert(
      fc.asyncProperty(text, segmentBytes, async (json, bytes) => {
        expect(await streamed(json, bytes)).toBe(await outcomeOf(() => JSON.parse(json)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects what JSON.parse rejects', async () => {
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 3 }),
      put: fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '1', '-', ' ', 'null', ',,'),
    });
    await fc.assert(
      fc.asyncProperty(text, change, segmentBytes, async (json, { at, length, put }, bytes) => {
        const start = at % (json.length + 1);
        const broken = (json.slice(0, start) + put + json.slice(start + length)).toWellFormed();
        expect(await streamed(broken, bytes)).toBe(await outcomeOf(() => JSON.parse(broken)));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '[1,]',
    '[,[1]]',
    '{"a":[1],}',
    '{"a":-[1]}',
    '{[1]}',
    '[1 [2]]',
    '[[1] 2]',
    '[] []',
    '[1',
  ])('rejects %s', async (json) => {
    expect(await streamed(json, 1)).toBe('no JSON');
  });

  it('rejects too deep nesting, before it is parsed', async () => {
    const parse = (json: string) => parseJsonInSegments(Buffer.from(json), { depthMax: 2 });
    await expect(parse('[[1]]')).resolves.toEqual([[1]]);
    await expect(parse('[[[1]]')).rejects.toBeInstanceOf(JsonDepthError);
  });

  it('lets others go on in between', async () => {
    let ticks = 0;
    const others = setInterval(() => (ticks += 1), 0);
    const json = JSON.stringify({ changes: Array.from({ length: 300_000 }, (_, id) => ({ id })) });
    const value = await parseJsonInSegments(Buffer.from(json), { depthMax: 256 });
    const ticksOfParsing = ticks;
    const written = await writeJsonInSegments(value);
    clearInterval(others);
    expect(ticksOfParsing).toBeGreaterThan(3);
    expect(ticks).toBeGreaterThan(ticksOfParsing + 3);
    expect(written.equals(Buffer.from(json))).toBe(true);
  });
});

describe('writing JSON in segments', () => {
  it('writes what JSON.stringify writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
        const large = { before: undefined, list: Array.from({ length: 3_000 }, () => value) };
        const json = JSON.stringify(large);
        for (const bytesExpected of [0, 1_000, json.length, 4 * json.length]) {
          expect((await writeJsonInSegments(large, bytesExpected)).toString()).toBe(json);
        }
      }),
      { numRuns: 50 },
    );
  });
});

it('a number that JSON.parse reads as infinite is written as such a number, not as null', async () => {
  for (const text of ['[1e999,-1e999]', '{"a":{"b":1e999}}', '1e999']) {
    expect(String(await writeJsonInSegments(JSON.parse(text)))).toBe(text);
  }
});
