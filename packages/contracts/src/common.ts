import { z } from 'zod';

/** RFC 3339 UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'RFC 3339 UTC with milliseconds' });

/** Money is integer cents, at most a hundred billion of them, so that sums stay exact. */
export const cents = z.int().min(0).max(100_000_000_000);

/** A change of the JSON schema that zod-openapi makes of a schema; it calls this itself. */
type SchemaOverride = (context: { readonly jsonSchema: Record<string, unknown> }) => void;

/**
 * What the OpenAPI document says instead of "text with a pattern": parameters are texts on the wire,
 * but OpenAPI describes the values they stand for.
 */
const documentedAs =
  (schema: Readonly<Record<string, unknown>>): SchemaOverride =>
  ({ jsonSchema }) => {
    delete jsonSchema['pattern'];
    delete jsonSchema['enum'];
    Object.assign(jsonSchema, schema);
  };

/** A whole number in a path or query string. The bounds are part of the OpenAPI document. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ override: documentedAs({ type: 'integer', minimum: min, maximum: max }) });

/** As `queryInt`, with the value that stands for an absent parameter. */
export const queryIntOr = (fallback: number, min: number, max: number) =>
  // A default behind a transform is left out of the document unless it is said again.
  queryInt(min, max)
    .default(fallback)
    .meta({ override: { default: fallback } });

/** A yes or no in a query string. */
export const queryFlag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ override: documentedAs({ type: 'boolean' }) });

/** The two parameters of every list: page size and opaque position. */
export const pageQuery = {
  limit: queryIntOr(50, 1, 200).meta({ description: 'Items of a page, at most' }),
  cursor: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ description: 'Where the page begins: `nextCursor` of the page before it' }),
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
