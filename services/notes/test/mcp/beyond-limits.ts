type Json = Readonly<Record<string, unknown>>;

/** A value of a schema in which one text or list is longer than any tool takes, and where that is. */
export type BeyondLimit = { readonly path: string; readonly value: unknown };

/** Longer than a note. */
const long = 'x'.repeat(600_000);
/** More items than any list takes. */
const many = 20_000;

/** One value for each text and each list of a JSON schema, at any depth. */
export const beyondLimits = (schema: Json): readonly BeyondLimit[] => {
  const options = optionsOf(schema);
  if (options.length > 0) {
    return options.flatMap(beyondLimits);
  }
  switch (schema['type']) {
    case 'string':
      return schema['enum'] === undefined ? [{ path: '', value: long }] : [];
    case 'array': {
      const items = jsonOf(schema['items']);
      return [
        { path: '[]', value: Array.from({ length: many }, () => least(items)) },
        ...beyondLimits(items).map(({ path, value }) => ({ path: `[]${path}`, value: [value] })),
      ];
    }
    case 'object':
      return Object.entries(jsonOf(schema['properties'])).flatMap(([name, property]) =>
        beyondLimits(jsonOf(property)).map(({ path, value }) => ({
          path: `.${name}${path}`,
          value: { ...jsonOf(least(schema)), [name]: value },
        })),
      );
    default:
      return [];
  }
};

/** The least value that a schema takes. */
const least = (schema: Json): unknown => {
  const [option] = optionsOf(schema);
  if (option) {
    return least(option);
  }
  if ('const' in schema) {
    return schema['const'];
  }
  if (Array.isArray(schema['enum'])) {
    return schema['enum'][0];
  }
  switch (schema['type']) {
    case 'string':
      return 'a';
    case 'array':
      return [];
    case 'object': {
      const properties = jsonOf(schema['properties']);
      const required = (schema['required'] ?? []) as readonly string[];
      return Object.fromEntries(required.map((name) => [name, least(jsonOf(properties[name]))]));
    }
    case 'boolean':
      return false;
    default:
      return Number(schema['minimum'] ?? 1);
  }
};

const optionsOf = (schema: Json): readonly Json[] =>
  (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? []) as readonly Json[];

const jsonOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
