import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { makeBareTables, withClient } from '../limits/bare-tables.ts';
import { runSyncTask } from '../load/run-sync-task.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { runTask } from '../run-child.ts';

const bareInserts = fileURLToPath(import.meta.resolve('../limits/bare-inserts.ts'));
const bareSelects = fileURLToPath(import.meta.resolve('../limits/bare-selects.ts'));
const bulk = { notes: 10_000, batch: 500 } as const;

/** To read all takes a quarter of a second, in which the machine does something else as well now and then. */
const readsARound = 3;

const reach = { of: 'ratio', is: 'at least', bound: 0.5 } as const;

/** One client brings 10,000 notes of 1 KB, and another fetches them. */
export const syncBulk: Measurement = {
  name: 'sync',
  measure: async (bench) => {
    await makeBareTables(bench.product.databaseUrl);
    const { rows, company } = await measurePushes(bench);
    return [...rows, await measurePulls(bench, company)];
  },
};

/** Gives the company of the last push too. */
const measurePushes = async (bench: Bench): Promise<{ rows: Row[]; company: CompanyWorld }> => {
  const { product, world, effort } = bench;
  const { databaseUrl } = product;
  let company = await world.makeCompany('Bulk');
  const insert = (rows: 'note' | 'all'): Promise<number> =>
    runTask({ file: bareInserts, input: { databaseUrl, rows, ...bulk } });
  const ways = {
    push: async () => {
      company = await world.makeCompany('Bulk');
      const figure = await runSyncTask({ what: 'push', ...bulk, ...clientOf(bench, company) });
      await untilIndexed(databaseUrl, company.companyId);
      return figure;
    },
    insert: () => insert('all'),
    insertNotes: () => insert('note'),
  };
  await interleave(effort.warmUpRounds, ways);
  await reuseLogFiles(databaseUrl);
  const figures = await interleave(effort.rounds, ways);
  const rows: Row[] = [
    {
      name: 'sync push, 10,000 notes of 1 KB in batches of 500',
      unit: 'notes/s',
      ...compare(figures.push, figures.insert),
      reach,
    },
    {
      name: 'the same push, beside inserts of one of the four rows it writes of a note',
      unit: 'notes/s',
      ...compare(figures.push, figures.insertNotes),
      reach: null,
    },
  ];
  return { rows, company };
};

const measurePulls = async (bench: Bench, company: CompanyWorld): Promise<Row> => {
  const { product, effort } = bench;
  const { databaseUrl } = product;
  const ways = {
    pull: () => runSyncTask({ what: 'pull', ...bulk, ...clientOf(bench, company) }),
    select: () =>
      runTask<number>({
        file: bareSelects,
        input: { databaseUrl, companyId: company.companyId, ...bulk },
      }),
  };
  await interleave(effort.warmUpRounds, ways);
  const figures = await interleave(readsARound * effort.rounds, ways);
  return {
    name: 'sync full pull of 10,000 notes in pages of 500',
    unit: 'notes/s',
    ...compare(figures.pull, figures.select),
    reach,
  };
};

const clientOf = ({ product }: Bench, company: CompanyWorld) => ({
  url: product.url,
  headers: bearer(company.key),
});

/**
 * A database that has been in use writes its log over files it has. A new one makes one for every 16 MB, 20 to
 * 40 ms each, which would go to whoever happens to write then: to pushes, which write most.
 */
const reuseLogFiles = (databaseUrl: string): Promise<unknown> =>
  withClient(databaseUrl, (client) => client.query('checkpoint'));

/** Indexing begins when a company has been quiet for a second: it would run beside what is measured next. */
const untilIndexed = (databaseUrl: string, companyId: string): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    for (let triesLeft = 600; triesLeft > 0; triesLeft -= 1) {
      const { rowCount } = await client.query(
        `select from notes.search_progress p join notes.company_feed f using (company_id)
         where company_id = $1 and p.change_no = f.head`,
        [companyId],
      );
      if (rowCount === 1) {
        return;
      }
      await sleep(100);
    }
    throw new Error('The notes were not indexed within a minute');
  });
