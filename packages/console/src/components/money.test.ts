import { expect, it } from '@jest/globals';
import { moneyOf } from './money.ts';

it.each([
  ['USD', 2, '123456'],
  ['JPY', 0, '123456'],
  ['KWD', 3, '123456'],
  ['HUF', 2, '123456'],
  ['IQD', 3, '123456'],
  ['CLF', 4, '123456'],
])('%s has %d digits after the point', (currency, digits, numerals) => {
  const money = moneyOf(currency);
  expect(money.digits).toBe(digits);
  const text = money.format(123_456);
  expect(text.replaceAll(/\D/g, '')).toBe(numerals);
  // The machine's locale decides on the separators.
  const [fraction = ''] = /(?<=[.,\u066b])\d+(?=\D*$)/.exec(text) ?? [];
  expect(digits === 0 || fraction.length === digits).toBe(true);
});
