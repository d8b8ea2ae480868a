import { describe, expect, it } from '@jest/globals';
import { timestampAsJson } from './json-type-parsers.ts';

describe('an instant as PostgreSQL writes it', () => {
  it.each([
    ['2026-11-22 11:41:40.063+00', '2026-11-22T11:41:40.063Z'],
    ['2026-11-22 11:41:40.06+00', '2026-11-22T11:41:40.060Z'],
    ['2026-11-22 11:41:40.6+00', '2026-11-22T11:41:40.600Z'],
    ['2026-11-22 11:41:40+00', '2026-11-22T11:41:40.000Z'],
    ['2026-11-22 11:41:40.063999+00', '2026-11-22T11:41:40.063Z'],
  ])('%s is %s in JSON', (written, json) => {
    expect(timestampAsJson(written)).toBe(json);
  });

  it('is the same instant where the session is in another time zone', () => {
    expect(timestampAsJson('2026-11-22 12:41:40.063+01')).toBe('2026-11-22T11:41:40.063Z');
    expect(timestampAsJson('2026-11-22 17:11:40.5+05:30')).toBe('2026-11-22T11:41:40.500Z');
  });
});
