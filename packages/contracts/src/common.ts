import { z } from 'zod';

/** The parts of a timestamp, and how they are written. */
const timestampParts = [
  [/^\d{4}-\d{2}-\d{2}/, 'the date'],
  [/T\d{2}:\d{2}:\d{2}/, 'the time with seconds'],
  [/\.\d{3}(?!\d)/, 'milliseconds (`.000`)'],
  [/Z$/, '`Z` for UTC'],
] as const;

/** Says what a text lacks to be a timestamp. */
const timestampFault = (text: unknown): string => {
  const missing = timestampParts.flatMap(([part, name]) =>
    typeof text === 'string' && !part.test(text) ? [name] : [],
  );
  const example = 'must be UTC with milliseconds, as 2026-01-31T09:30:00.000Z';
  return missing.length === 0 ? example : `${example}; missing: ${missing.join(', ')}`;
};

/** For `refine`: ISO 8601 has a year that PostgreSQL has not. */
export const yearOfPostgres = [
  (text: string): boolean => !text.startsWith('0000'),
  'must not be in the year 0000',
] as const;

/** RFC 3339 UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestamp = z.iso
  .datetime({ precision: 3, error: ({ input }) => timestampFault(input) })
  .refine(...yearOfPostgres)
  .meta({ description: 'RFC 3339 UTC with milliseconds' });

/** An amount in integer cents, limited so that sums stay exact. */
export const cents = z.int().min(0).max(100_000_000_000);

/** A number of tokens of a model, limited so that sums stay exact. */
export const tokens = z.int().min(0).max(1_000_000_000_000);

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

const outOfRange = (min: number, max: number): string =>
  `must be a whole number from ${min} to ${max}`;

/** An integer in a path or query string, with its bounds in the OpenAPI document. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, outOfRange(min, max))
    .transform(Number)
    .pipe(z.int(outOfRange(min, max)).min(min, outOfRange(min, max)).max(max, outOfRange(min, max)))
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

/** As `pageQuery`, for lists whose cursor contains a title or a folder, of up to 2,048 bytes. */
export const longPageQuery = {
  ...pageQuery,
  cursor: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .meta(pageQuery.cursor.meta() ?? {}),
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

/** The parameter of lists of people. */
export const personQuery = {
  q: plainText(1, 200).optional().meta({ description: 'Part of name or email, case-insensitive' }),
};

/**
 * C0 and C1, the line and paragraph separators, and what overrides or isolates the direction of text, by which one name
 * looks like another.
 */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** One line of text, such as a name: no control characters, no leading or trailing blanks. */
export const lineOfText = (min: number, max: number) =>
  plainText(min, max)
    .refine(
      (text) => !controlCharacters.test(text),
      'must not hold control characters, line separators or overrides of direction',
    )
    .refine((text) => text.trim() === text, 'must not begin or end with white space');

/** Makes any text a `lineOfText`, cut at `max`: a blank is in place of what a line may not have. */
export const toLineOfText = (text: string, max: number): string =>
  text
    .replace(new RegExp(`${controlCharacters.source}+`, 'gu'), ' ')
    .slice(0, max)
    .toWellFormed()
    .trim();

/** An email in lower case. It is validated as sent: some letters become others when lowered (K, the Kelvin sign). */
export const email = z
  .string()
  .max(254)
  .transform((text) => text.trim())
  .pipe(z.email())
  .transform((text) => text.toLowerCase());
