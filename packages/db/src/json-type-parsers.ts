import pg from 'pg';
import { types } from './parsed-columns.ts';

const { TIMESTAMPTZ, JSON: json } = pg.types.builtins;
const parseTimestamp = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

/** PostgreSQL's text of a timestamp in UTC, years 1 to 9999: date, time and an optional fraction. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/** Formats a timestamp as `Date.prototype.toISOString` does: RFC 3339 in UTC with milliseconds. */
export const timestampAsJson = (text: string): string => {
  const [, date, time, fraction = ''] = inUtc.exec(text) ?? [];
  return time === undefined
    ? (parseTimestamp(text) as Date).toISOString()
    : `${date}T${time}.${fraction.padEnd(3, '0')}Z`;
};

/**
 * The type parsers for rows that become JSON again: timestamps as the text of JSON, JSON columns as their stored
 * text. A Date or an object would only be serialized again.
 */
export const jsonTypes = new pg.TypeOverrides(types);
jsonTypes.setTypeParser(TIMESTAMPTZ, timestampAsJson);
jsonTypes.setTypeParser(json, (text: string) => text);
