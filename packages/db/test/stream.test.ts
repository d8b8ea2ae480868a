import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { companyId, newId } from '@commonplace/contracts';
import pg from 'pg';
import { read, stream } from '../src/index.ts';
import { openTestDb, type OpenedTestDb } from './open-test-db.ts';

const company = companyId.parse(newId());
let opened: OpenedTestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

type Numbered = { readonly n: number; readonly company: string };

/** So many rows of a kilobyte; where `$2` is one of their numbers, that row fails. */
const numbered = `
  select n, current_setting('app.company_id') as company, repeat('x', 1000 + 0 / (n - $2)) as filling
  from generate_series(1, $1::integer) n`;

const partsOf = (rows: number, failsAt = 0, name = 'test: numbered') =>
  stream<Numbered>(opened.db, company, (tx) => tx.query(numbered, [rows, failsAt], name));

const collect = async <Row>(parts: AsyncIterable<readonly Row[]>): Promise<(readonly Row[])[]> => {
  const all: (readonly Row[])[] = [];
  for await (const part of parts) {
    all.push(part);
  }
  return all;
};

const endOtherConnections = async () => {
  const admin = new pg.Client({ connectionString: opened.adminUrl });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await admin.end();
};

const isFree = async () => {
  const one = await read(opened.db, company, (tx) => tx.query('select 1 as one'));
  expect(one).toEqual([{ one: 1 }]);
};

describe('streamed rows', () => {
  it('come whole and in order, in the scope of the company, the first before the last is there', async () => {
    for (const round of [1, 2]) {
      const parts = await collect(partsOf(5000 * round));
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.every((part) => part.length > 0)).toBe(true);
      const rows = parts.flat();
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 5000 * round }, (_, i) => i + 1));
      expect(new Set(rows.map((row) => row.company))).toEqual(new Set([company]));
    }
  });

  it('come as one in a transaction, where a scope must be set for other servers too', async () => {
    const citus = { ...opened.db, isCitus: true };
    const parts = await collect(
      stream<Numbered>(citus, company, (tx) => tx.query(numbered, [50, 0], 'test: numbered')),
    );
    expect(parts.map((part) => part.length)).toEqual([50]);
    expect(parts[0]?.[49]).toMatchObject({ n: 50, company });
  });

  it('have timestamps and JSON as the text of a response, in a transaction as well', async () => {
    for (const isCitus of [false, true]) {
      const parts = stream({ ...opened.db, isCitus }, company, (tx) =>
        tx.query(
          `select timestamptz '2026-11-22 11:41:40.5Z' as at, json '{"b":1,  "a":2}' as data, 1::bigint as n, true as yes`,
          [],
          'test: columns',
        ),
      );
      expect((await collect(parts)).flat()).toEqual([
        { at: '2026-11-22T11:41:40.500Z', data: '{"b":1,  "a":2}', n: 1, yes: true },
      ]);
    }
  });

  it('may be none', async () => {
    expect(await collect(partsOf(0))).toEqual([]);
  });

  it('fail where the statement does, at the latest after what came before, and the connection is free', async () => {
    let rowsRead = 0;
    const reading = async () => {
      for await (const part of partsOf(5000, 4000)) {
        rowsRead += part.length;
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: '22012' });
    expect(rowsRead).toBeLessThan(4000);
    await isFree();
  });

  it('fail at once where the statement does', async () => {
    await expect(collect(partsOf(5, 1))).rejects.toMatchObject({ code: '22012' });
    const wrong = stream(opened.db, company, (tx) => tx.query('select nothing', [], 'test: wrong'));
    await expect(collect(wrong)).rejects.toMatchObject({
      code: '42703',
    });
    await isFree();
  });

  it('may be left before the end: the connection is free', async () => {
    for await (const part of partsOf(5000)) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    await isFree();
  });

  it('take no connection before the first is read', async () => {
    const parts = partsOf(5);
    await isFree();
    expect(await collect(parts)).toHaveLength(1);
  });

  it('fail when the connection breaks, and the next reading has another one', async () => {
    const endless = stream<Numbered>(opened.db, company, (tx) =>
      tx.query(`${numbered} where n < 1000 or pg_sleep(60) is null`, [1000, 0], 'test: endless'),
    );
    const reading = async () => {
      for await (const _part of endless) {
        await endOtherConnections();
      }
    };
    await expect(reading()).rejects.toThrow(/terminat/);
    await isFree();
  });
});
