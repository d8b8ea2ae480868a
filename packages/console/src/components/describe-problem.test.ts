import { expect, it } from '@jest/globals';
import { describeProblem, problemAtField } from './describe-problem.ts';

it.each([
  ['/agentId', 'must be a UUID', 'Agent: must be an ID'],
  ['/budget/monthlyCents', 'must be at least 0', 'Monthly budget: must be at least 0'],
  ['/to', 'must not be before `from`', 'Until: must not be before “From”'],
  [
    '/expiresAt',
    'must not be after that of `runToken`',
    'Days until it expires: must not be after that of “Run token”',
  ],
  ['/reportsTo', 'is no agent of the company', 'Reports to: is no agent of the company'],
  ['/tags/3', 'is too long', 'Tags: is too long'],
  ['/title', 'Too big: expected string to have <=500 characters', 'Title: is too long'],
  ['/limit', 'Too small: expected number to be >=1', 'Limit: must be at least 1'],
  ['/email', 'Invalid email address', 'Email: is not an email address'],
  [
    '/name',
    'Invalid input: expected string, received undefined',
    'Name: is missing or has the wrong type',
  ],
  ['', 'must not be before `from`', 'must not be before “From”'],
])('%s', (path, message, expected) => {
  expect(describeProblem({ path, message })).toBe(expected);
});

it.each([
  ['/budget/monthlyCents', { field: 'monthly', text: 'Must be at least 0' }],
  ['/tags/3', { field: 'tags', text: 'Must be at least 0' }],
  ['/content', null],
])('what is wrong with %s is shown at the field of the form that has it', (path, expected) => {
  const fields = ['title', 'tags', 'monthly'];
  expect(problemAtField({ path, message: 'must be at least 0' }, fields)).toEqual(expected);
});

it('a form has labels of its own for what it calls otherwise, in the text and at the field', () => {
  const own = { expiresAt: { label: 'The connection ends', field: 'ends' } };
  const problem = { path: '/expiresAt', message: 'must be after `expiresAt`' };
  expect(describeProblem(problem, own)).toBe(
    'The connection ends: must be after “The connection ends”',
  );
  expect(problemAtField(problem, ['ends', 'days'], own)?.field).toBe('ends');
  expect(problemAtField(problem, ['ends', 'days'])?.field).toBe('days');
});
