import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { arrayText, read } from '../src/index.ts';
import { openTestDb, type OpenedTestDb } from './open-test-db.ts';

let opened: OpenedTestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

it('nested arrays of unequal lengths keep every text, in one array parameter', async () => {
  const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''));
  const lists = fc.array(fc.array(text, { maxLength: 5 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const rows = await read(opened.db, 'global', (tx) =>
        tx.query<{ value: string[] }>(
          `select value::text[] as value
           from unnest($1::text[]) with ordinality as u (value, position) order by position`,
          [list.map(arrayText)],
        ),
      );
      expect(rows.map(({ value }) => value)).toEqual(list);
    }),
  );
});
