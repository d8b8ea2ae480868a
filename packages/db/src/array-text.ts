/** An array of texts in PostgreSQL's text format, for nested arrays of unequal lengths. */
export const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
