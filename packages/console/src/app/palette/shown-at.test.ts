import { expect, it } from '@jest/globals';
import { shownAt } from './shown-at.ts';

const id = '01a221fd-7b68-7269-9900-3633a76a46c1';
const company = `/companies/${id}`;

it.each([
  [`${company}/agents/${id}`, { kind: 'agents', id }],
  [`${company}/notes/${id}`, { kind: 'notes', id }],
  [`${company}/notes/${id}/history`, { kind: 'notes', id }],
  [`${company}/runs/${id}`, { kind: 'runs', id }],
  [`${company}/notes`, null],
  [`${company}/notes/new`, null],
  [`${company}/members/${id}`, null],
  [company, null],
  ['/account', null],
] as const)('%s', (pathname, shown) => {
  expect(shownAt(pathname)).toEqual(shown);
});
