import pg from 'pg';
import { types } from './parsed-columns.ts';

const { TIMESTAMPTZ, JSON: json } = pg.types.builtins;
const parseInstant = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/** What PostgreSQL writes of an instant in UTC, of the years 1 to 9999: date, time, and a fraction if there is one. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** An instant as RFC 3339 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const timestampAsJson = (written: string): string => {
  const [, date, time, fraction = ''] = inUtc.exec(written) ?? [];
  return time === undefined
    ? (parseInstant(written) as Date).toISOString()
    : `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
};

/**
 * How columns come whose rows become JSON again: an instant as the text that it is in JSON, a column of JSON
 * as the text that was stored. A Date and an object of them would only be made to be written again.
 */
export const jsonTypes = new pg.TypeOverrides(types);
jsonTypes.setTypeParser(TIMESTAMPTZ, timestampAsJson);
jsonTypes.setTypeParser(json, (written: string) => written);
