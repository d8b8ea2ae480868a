import { expect, it } from '@jest/globals';
import { describeProblem } from './describe-problem.ts';

it.each([
  ['/agentId', 'must be a UUID', 'Agent: must be an ID'],
  ['/budget/monthlyCents', 'must be at least 0', 'Monthly cents: must be at least 0'],
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
  ['', 'must not be before `from`', 'must not be before `from`'],
])('%s', (path, message, expected) => {
  expect(describeProblem({ path, message })).toBe(expected);
});
