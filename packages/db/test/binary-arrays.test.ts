import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bigintArray,
  booleanArray,
  integerArray,
  runGlobal,
  textArray,
  timeArray,
  uuidArray,
} from '../src/index.ts';
import { openTestDb, type OpenedTestDb } from './open-test-db.ts';

let opened: OpenedTestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

const asPostgresReads = (type: string, bytes: Buffer): Promise<unknown[]> =>
  runGlobal(opened.db, async (tx) => {
    const rows = await tx.query<{ value: unknown }>(
      `select value from unnest($1::${type}[]) with ordinality as u (value, place) order by place`,
      [bytes],
    );
    return rows.map(({ value }) => value);
  });

const arrays = {
  text: {
    toArray: textArray,
    values: fc.string({ unit: 'binary' }).map((s) => s.replaceAll('\0', '')),
  },
  uuid: { toArray: uuidArray, values: fc.uuid() },
  integer: { toArray: integerArray, values: fc.integer() },
  bigint: { toArray: bigintArray, values: fc.maxSafeInteger() },
  boolean: { toArray: booleanArray, values: fc.boolean() },
  timestamptz: {
    toArray: timeArray,
    values: fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
  },
} as const;

describe('an array in binary format', () => {
  it.each(Object.entries(arrays))('of %s is what was put in, nulls included', async (type, how) => {
    const toArray = how.toArray as (values: readonly unknown[]) => Buffer;
    const lists = fc.array(fc.option(how.values as fc.Arbitrary<unknown>), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        expect(await asPostgresReads(type, toArray(list))).toEqual(list);
      }),
    );
    expect(await asPostgresReads(type, toArray([]))).toEqual([]);
  });

  it('holds no UUID that is none', () => {
    expect(() => uuidArray(['0198a000-0000-7000-8000-00000000000'])).toThrow('Not a UUID');
    expect(() => uuidArray(['x198a000-0000-7000-8000-00000000000a'])).toThrow('Not a UUID');
  });
});
