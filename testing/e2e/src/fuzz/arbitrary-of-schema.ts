import fc from 'fast-check';

type Json = Readonly<Record<string, unknown>>;
type Resolve = (reference: string) => Json;

const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

const hostileText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../etc/passwd',
  "'; drop table notes.notes; --",
  '<script>alert(1)</script>',
  '%00%2e%2e%2f',
  '\u202e\u200b',
  'x'.repeat(5_000),
);

/** Texts that edits find in notes, headings that exist or are ambiguous, and what makes notes large. */
const meaningfulText = fc.constantFrom(
  'Plan',
  'Plan/Risks',
  '/Risks',
  '# Plan\n## Risks\na\n# Log\n## Risks\n',
  'a',
  '[[Plan]]',
  'a'.repeat(100_000),
);

const textOf = (schema: Json): fc.Arbitrary<unknown> => {
  const minLength = Number(schema['minLength'] ?? 0);
  const maxLength = Math.min(Number(schema['maxLength'] ?? 40), 200);
  switch (schema['format']) {
    case 'uuid':
      return fc.uuid();
    case 'date-time':
      return fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((date) => date.toISOString());
    case 'email':
      return fc.nat(9).map((number) => `fuzz${number}@example.org`);
    default:
      return typeof schema['pattern'] === 'string'
        ? fc.stringMatching(new RegExp(schema['pattern'])).map((text) => text.slice(0, 200))
        : fc.oneof(
            {
              weight: 3,
              arbitrary: fc.string({
                minLength,
                maxLength: Math.max(minLength, maxLength),
                unit: 'grapheme',
              }),
            },
            { weight: 1, arbitrary: meaningfulText },
          );
  }
};

const integerOf = (schema: Json): fc.Arbitrary<number> => {
  const min = Math.max(Number(schema['minimum'] ?? 0), Number.MIN_SAFE_INTEGER);
  const max = Math.min(Number(schema['maximum'] ?? 1_000), Number.MAX_SAFE_INTEGER);
  return fc.oneof(
    fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) }),
    fc.constantFrom(min, max),
  );
};

/** All required fields and some optional ones. */
const objectOf = (schema: Json, resolve: Resolve): fc.Arbitrary<unknown> => {
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  const fields = Object.entries(asJson(schema['properties'])).map(
    ([name, field]) => [name, arbitraryOfSchema(asJson(field), resolve)] as const,
  );
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: fields.map(([name]) => name).filter((name) => required.has(name)),
  });
};

/** Mostly values that fit a JSON schema of the document; invalid ones are tests as well. */
export const arbitraryOfSchema = (schema: Json, resolve: Resolve): fc.Arbitrary<unknown> => {
  if (typeof schema['$ref'] === 'string') {
    return arbitraryOfSchema(resolve(schema['$ref']), resolve);
  }
  if (Array.isArray(schema['enum'])) {
    return fc.constantFrom(...(schema['enum'] as unknown[]));
  }
  if ('const' in schema) {
    return fc.constant(schema['const']);
  }
  const [first, ...others] = (schema['allOf'] as Json[] | undefined) ?? [];
  if (first && others.length === 0) {
    return arbitraryOfSchema(first, resolve);
  }
  const options = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (options) {
    return fc.oneof(...options.map((option) => arbitraryOfSchema(option, resolve)));
  }
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return integerOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOfSchema(asJson(schema['items']), resolve), { maxLength: 4 });
    case 'object':
      return objectOf(schema, resolve);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
};

/** An invalid value: another type, hostile text, an extreme number. */
export const spoiled = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const wrong = fc.oneof(
    hostileText,
    fc.constantFrom(null, true, [], {}, -1, 1e308, 0.5, Number.MAX_SAFE_INTEGER),
    fc.jsonValue({ maxDepth: 4 }),
  );
  return fc.tuple(valid, wrong, fc.nat()).map(([value, bad, choice]) => {
    const fields = Object.keys(asJson(value));
    const field = fields[choice % Math.max(fields.length, 1)];
    return field === undefined ? bad : { ...asJson(value), [field]: bad };
  });
};
