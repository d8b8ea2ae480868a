import pg from 'pg';

/**
 * A `text[]` in PostgreSQL's binary format (`array_send` in its source): neither side looks at every
 * character for what would have to be escaped. Of a pushed note of 1 KB that was a tenth of the time.
 */
export const textArray = (values: readonly (string | null)[]): Buffer => {
  const lengths = values.map((value) => (value === null ? null : Buffer.byteLength(value)));
  const bodyBytes = lengths.reduce<number>((sum, length) => sum + 4 + (length ?? 0), 0);
  const bytes = Buffer.allocUnsafe(values.length === 0 ? 12 : 20 + bodyBytes);
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(lengths.includes(null) ? 1 : 0, 4);
  bytes.writeInt32BE(pg.types.builtins.TEXT, 8);
  if (values.length === 0) {
    return bytes;
  }
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  let at = 20;
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] ?? -1, at);
    at += value === null ? 0 : bytes.write(value, at);
  }
  return bytes;
};

/**
 * An array of values that never need quotes: numbers, booleans, UUIDs, times as `toISOString` writes
 * them. The driver would look for quotes in each.
 */
export const plainArray = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
