type Search = Readonly<Record<string, unknown>>;

/** The text of a parameter. The router takes `?range=7`, as one writes it by hand, for a number. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';

/** A search parameter with one of the given values; omitted if it is anything else. */
export const enumParam = <Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  search: Search,
): { [Key in Name]?: Value } => {
  const value = values.find((each) => each === textOf(search[name]));
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
};

/** A search parameter with any text; omitted if it is empty. */
export const textParam = <Name extends string>(
  name: Name,
  search: Search,
): { [Key in Name]?: string } => {
  const value = textOf(search[name]);
  return (value === '' ? {} : { [name]: value }) as {
    [Key in Name]?: string;
  };
};

/** A search parameter with a whole number above 0; omitted if it is anything else. */
export const countParam = <Name extends string>(
  name: Name,
  search: Search,
): { [Key in Name]?: number } => {
  const value = search[name];
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {}
  ) as { [Key in Name]?: number };
};

/** A search parameter with a day, as `2026-01-31`; omitted if it is anything else. */
export const dayParam = <Name extends string>(
  name: Name,
  search: Search,
): { [Key in Name]?: string } => {
  const value = search[name];
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return (isDay && !Number.isNaN(Date.parse(value)) ? { [name]: value } : {}) as {
    [Key in Name]?: string;
  };
};
