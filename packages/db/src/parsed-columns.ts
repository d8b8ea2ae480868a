import pg from 'pg';

/** The default type parsers: numbers, Dates, and days as text. Our bigints are counters far below 2^53. */
export const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.DATE, String);
