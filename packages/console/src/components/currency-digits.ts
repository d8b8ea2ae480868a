/** Currencies of ISO 4217 whose minor unit is not a hundredth, by the digits after the point. */
const exceptions: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsOf = new Map(
  Object.entries(exceptions).flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, Number(digits)]),
  ),
);

/**
 * The digits after the point in the minor unit of a currency, which the API counts. Those of `Intl` are how people write
 * amounts, without the fillér of the forint for example, and differ between browsers.
 */
export const currencyDigits = (currency: string): number => digitsOf.get(currency) ?? 2;
