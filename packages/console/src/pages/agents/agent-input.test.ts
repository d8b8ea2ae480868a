import { expect, it } from '@jest/globals';
import { amountProblem, limitsOf, tokensProblem } from './agent-input.ts';

it.each([
  ['1500.50', 150_050],
  ['1,500.50', 150_050],
  [' 1 500 000 ', 150_000_000],
  ["1'500.5", 150_050],
  ['', null],
])('the amount %j is a limit of %p cents', (monthly, monthlyCents) => {
  expect(amountProblem(monthly, 2)).toBeNull();
  expect(limitsOf({ monthly, tokens: '' }, 2)).toEqual({ monthlyCents, monthlyTokens: null });
});

it.each([
  '1,5',
  '0,500',
  '000 500',
  '1.500',
  '1.500,50',
  '1,50,000',
  "1,500'000",
  '1,500.505',
  '-1',
  ',',
])('the amount %j is refused, because it is not clear what is meant', (amount) => {
  expect(amountProblem(amount, 2)).toContain('Enter an amount');
});

it('in a currency with three digits after the point a comma is not clear either', () => {
  expect(amountProblem('1,500', 3)).toContain('Enter an amount');
  expect(limitsOf({ monthly: '1.500', tokens: '' }, 3).monthlyCents).toBe(1_500);
});

it('tokens are counted with and without thousands separators', () => {
  const limits = ['5000000', '5,000,000'].map((tokens) => limitsOf({ monthly: '', tokens }, 2));
  expect(limits.map(({ monthlyTokens }) => monthlyTokens)).toEqual([5_000_000, 5_000_000]);
  expect(['5,000,000', ''].map(tokensProblem)).toEqual([null, null]);
  expect(['5.5', '5,00', '1,000,000,000,001'].map(tokensProblem)).not.toContain(null);
});
