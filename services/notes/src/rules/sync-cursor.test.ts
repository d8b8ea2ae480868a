import { describe, expect, it } from '@jest/globals';
import { AppError, newId } from '@commonplace/contracts/core';
import fc from 'fast-check';
import { assertCurrent, readCursor, writeCursor, type SyncCursor } from './sync-cursor.ts';

const company = newId();
const epoch = newId();
const position = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const cursor: fc.Arbitrary<SyncCursor> = fc
  .record(
    { changeNo: position, snapshotHead: position },
    { requiredKeys: ['changeNo'], noNullPrototype: true },
  )
  .map((where) => ({ v: 1, company, epoch, ...where }));

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};

describe('a cursor', () => {
  it('is read as it was written, and only by its own company', () => {
    fc.assert(
      fc.property(cursor, (written) => {
        expect(readCursor(writeCursor(written), company)).toEqual(written);
        expect(codeOf(() => readCursor(writeCursor(written), newId()))).toBe('cursor_expired');
      }),
    );
  });

  it('of arbitrary text is 410', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(codeOf(() => readCursor(text, company))).toBe('cursor_expired');
      }),
    );
  });

  it('with a damaged character is 410, or still a position of this company', () => {
    fc.assert(
      fc.property(cursor, fc.nat(), fc.string({ maxLength: 2 }), (written, at, damage) => {
        const text = writeCursor(written);
        const place = at % text.length;
        const damaged = `${text.slice(0, place)}${damage}${text.slice(place + 1)}`;
        const code = codeOf(() => expect(readCursor(damaged, company).company).toBe(company));
        expect(['none', 'cursor_expired']).toContain(code);
      }),
    );
  });

  it('is current between floor and head of its own epoch, and nowhere else', () => {
    fc.assert(
      fc.property(cursor, fc.tuple(position, position), fc.boolean(), (at, kept, isOther) => {
        const [floor, head] = kept;
        const feed = { epoch: isOther ? newId() : epoch, floor, head };
        const places = [at.changeNo, at.snapshotHead ?? 0];
        const isGood = !isOther && Math.max(...places) <= head && Math.max(...places) >= floor;
        expect(codeOf(() => assertCurrent(at, feed))).toBe(isGood ? 'none' : 'cursor_expired');
      }),
    );
  });
});
