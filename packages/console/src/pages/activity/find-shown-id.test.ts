import { expect, it } from '@jest/globals';
import { findShownId } from './find-shown-id.ts';

const [one, other] = [
  '0198a000-0000-7000-8000-0000aaaa0001',
  '0198a000-0000-7000-8000-0000bbbb0002',
];

it('finds a listed id by what a row shows of it, also in the details of an entry', () => {
  const listed = [{ entity: { id: one }, detail: { keyId: other } }, { entity: { id: one } }];
  expect(findShownId('aaaa0001', listed)).toBe(one);
  expect(findShownId('BBBB0002', listed)).toBe(other);
  expect(findShownId('0198a000-0000-7000-8000-0000b', listed)).toBe(other);
});

it('takes a whole id that is not listed, and nothing that several or none have', () => {
  expect(findShownId(other, [])).toBe(other);
  expect(findShownId('', [])).toBe('');
  const listed = [{ id: one }, { id: other }];
  expect([findShownId('0198a000', listed), findShownId('0001', listed)]).toEqual([null, null]);
  expect(findShownId('cccc0003', listed)).toBeNull();
});
