import { currencyDigits } from './currency-digits.ts';

/** How a company writes amounts. The integers of the API count the minor unit of its currency. */
export type Money = {
  readonly currency: string;
  /** Digits after the decimal point: 2 for USD, 0 for JPY. */
  readonly digits: number;
  /** Formats an amount with its currency. */
  readonly format: (cents: number) => string;
};

const formats = new Map<string, Money>();

/** The format of a currency of ISO 4217. */
export const moneyOf = (currency: string): Money => {
  const made = formats.get(currency) ?? createMoney(currency);
  formats.set(currency, made);
  return made;
};

const createMoney = (currency: string): Money => {
  const digits = currencyDigits(currency);
  const number = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return { currency, digits, format: (cents) => number.format(cents / 10 ** digits) };
};
