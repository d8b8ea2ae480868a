import { z } from 'zod';

/** RFC 3339 UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339 UTC with milliseconds' });

/** Money is integer cents, at most a hundred billion of them, so that sums stay exact. */
export const cents = z.int().min(0).max(100_000_000_000);

/** A number in a query string. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** A yes or no in a query string. */
export const queryFlag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The two parameters of every list: page size and opaque position. */
export const pageQuery = {
  limit: queryInt(1, 200).default(50),
  cursor: z.string().min(1).max(1024).optional(),
};

/** One page of a list; `nextCursor` is null on the last one. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** What PostgreSQL cannot store and nobody can see: NUL and lone surrogates are refused, never dropped. */
export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000');

/** Any text that can be stored, limited in characters. */
export const plainText = (min: number, max: number) =>
  z.string().min(min).max(max).refine(isStorableText, 'must not hold NUL or lone surrogates');

/** One line of text: no control characters, no blank edges. */
export const lineOfText = (min: number, max: number) =>
  plainText(min, max)
    .refine(
      (text) => !/[\u0000-\u001f\u007f-\u009f]/.test(text),
      'must not hold control characters',
    )
    .refine((text) => text.trim() === text, 'must not begin or end with white space');

export const email = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email());
