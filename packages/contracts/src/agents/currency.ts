import { z } from 'zod';

/** The currencies that browsers and Node can format. */
const known: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The currency of a company, as clients send it. */
export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217, as USD')
  .refine((code) => known.has(code), 'must be a currency of ISO 4217')
  .meta({ description: 'A code of ISO 4217. Amounts are not converted when it changes' });
