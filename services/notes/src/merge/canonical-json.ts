/** JSON with sorted keys: equal values give equal texts. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => (isObject(entry) ? sorted(entry) : entry));

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `fromEntries` defines own properties, so that a key named `__proto__` stays a key. */
const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
