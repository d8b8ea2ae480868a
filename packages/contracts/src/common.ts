import { z } from 'zod';

/** RFC 3339 UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339 UTC with milliseconds' });

/** An amount in integer cents, limited so that sums stay exact. */
export const cents = z.int().min(0).max(100_000_000_000);

/** A hook that zod-openapi calls to change the JSON schema of a schema. */
type SchemaOverride = (context: { readonly jsonSchema: Record<string, unknown> }) => void;

/**
 * Describes the value of a parameter in the OpenAPI document, instead of the text on the wire with
 * its pattern.
 */
const documentedAs =
  (schema: Readonly<Record<string, unknown>>): SchemaOverride =>
  ({ jsonSchema }) => {
    delete jsonSchema['pattern'];
    delete jsonSchema['enum'];
    Object.assign(jsonSchema, schema);
  };

/** An integer in a path or query string, with its bounds in the OpenAPI document. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ override: documentedAs({ type: 'integer', minimum: min, maximum: max }) });

/** As `queryInt`, with a default. */
export const queryIntOr = (fallback: number, min: number, max: number) =>
  // zod-openapi omits a default after a transform, so it is repeated here.
  queryInt(min, max)
    .default(fallback)
    .meta({ override: { default: fallback } });

/** A boolean in a query string. */
export const queryFlag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ override: documentedAs({ type: 'boolean' }) });

/** The parameters of every list: page size and opaque position. */
export const pageQuery = {
  limit: queryIntOr(50, 1, 200).meta({ description: 'Maximum number of items' }),
  cursor: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ description: 'The position of the page: `nextCursor` of the previous page' }),
};

/** One page of a list; `nextCursor` is null on the last one. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** PostgreSQL cannot store NUL and lone surrogates; they are rejected, never dropped. */
export const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\u0000');

/** Text that can be stored, limited in characters. */
export const plainText = (min: number, max: number) =>
  z.string().min(min).max(max).refine(isStorableText, 'must not hold NUL or lone surrogates');

/** One line of text: no control characters, no leading or trailing blanks. */
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
