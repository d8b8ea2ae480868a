import { expect, it } from '@jest/globals';
import { grantList } from './grants.ts';
import { notePropertiesInput } from './notes/note-fields.ts';
import { noteTag, putNoteInput } from './notes/note-input.ts';

/** The normal form of so many takes minutes: they are put into order. */
const marks = (count: number): string => `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;

it('a tag or a folder of a grant that is far too long is refused before it is brought into its normal form', () => {
  expect(noteTag.safeParse(marks(500_000)).success).toBe(false);
  const grant = { folder: marks(500_000), scope: 'any' };
  expect(grantList.safeParse([grant]).success).toBe(false);
});

it('a tag may have as many marks as have room in its normal form', () => {
  expect(noteTag.parse(` ${'e\u0301'.repeat(64)} `)).toBe('é'.repeat(64));
});

it('properties and authors of a request that have far too many members are refused for that, whatever they hold', () => {
  const nested = { a: Array.from({ length: 300_000 }, () => [[], { b: '\u0000' }]) };
  const { error } = notePropertiesInput.safeParse(nested);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'must be at most 16384 bytes of JSON',
  ]);
  const createdBy = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`k${index}`, {}]),
  );
  expect(putNoteInput.safeParse({ createdBy }).success).toBe(false);
  expect(putNoteInput.safeParse({ createdBy: { kind: 'agent', id: 'x' } }).success).toBe(true);
});

it('properties may take all of their bytes', () => {
  const properties = { a: Array.from({ length: 8_188 }, () => 1) };
  expect(JSON.stringify(properties).length).toBe(16_383);
  expect(notePropertiesInput.safeParse(properties).success).toBe(true);
});
