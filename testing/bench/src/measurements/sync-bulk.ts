import { fileURLToPath } from 'node:url';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { compare, interleave } from '../interleave.ts';
import { makeBareTables, withClient } from '../baselines/bare-tables.ts';
import { runSyncTask } from '../load/tasks.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { runRepeatedTask } from '../run-child.ts';
import { untilIndexed } from '../system/until-indexed.ts';

const bareInserts = fileURLToPath(import.meta.resolve('../baselines/bare-inserts.ts'));
const bareSelects = fileURLToPath(import.meta.resolve('../baselines/bare-selects.ts'));
const bulk = { notes: 10_000, batch: 500 } as const;

/** A push takes seconds, and as many until its notes are indexed. */
const pushRoundsMax = 3;
const pushWarmUpRounds = 1;

/** A full pull takes a quarter of a second; more rounds average out other work on the machine. */
const pullRounds = 12;

const targets = {
  push: { of: 'ratio', is: 'at least', bound: 0.95 },
  pull: { of: 'ratio', is: 'at least', bound: 0.75 },
} as const;

/** One client pushes 10,000 notes of 1 KB, another pulls them. */
export const syncBulk: Measurement = {
  name: 'sync',
  measure: async (bench) => {
    await makeBareTables(bench.product.databaseUrl);
    const { rows, company } = await measurePushes(bench);
    return [...rows, await measurePulls(bench, company)];
  },
};

/** Also returns the company of the last push. */
const measurePushes = async (bench: Bench): Promise<{ rows: Row[]; company: CompanyWorld }> => {
  const { product, environment, profile } = bench;
  const { databaseUrl } = product;
  let company = await environment.makeCompany('Bulk');
  const insert = (rows: 'note' | 'all'): Promise<number> =>
    runRepeatedTask({ file: bareInserts, input: { databaseUrl, rows, ...bulk } });
  const push = {
    push: async () => {
      company = await environment.makeCompany('Bulk');
      const figure = await runSyncTask({ what: 'push', ...bulk, ...clientOf(bench, company) });
      await untilIndexed(databaseUrl, company.companyId);
      return figure;
    },
    insert: () => insert('all'),
  };
  const variants = { ...push, insertNotes: () => insert('note') };
  const measure = (rounds: number): Promise<PushFigures> =>
    interleave(rounds, profile.isQuick ? push : variants);
  await measure(pushWarmUpRounds);
  await reuseLogFiles(databaseUrl);
  const figures = await measure(Math.min(profile.rounds, pushRoundsMax));
  const rows: Row[] = [
    {
      name: 'sync push, 10,000 notes of 1 KB in batches of 500',
      unit: 'notes/s',
      ...compare(figures.push, figures.insert),
      target: targets.push,
    },
    ...besideNotes(figures),
  ];
  return { rows, company };
};

type PushFigures = Readonly<Record<'push' | 'insert', readonly number[]>> & {
  readonly insertNotes?: readonly number[];
};

/** A second baseline for the same pushes, which a quick run leaves out. */
const besideNotes = ({ push, insertNotes }: PushFigures): readonly Row[] =>
  insertNotes === undefined
    ? []
    : [
        {
          name: 'the same push, beside inserts of one of the four rows it writes of a note',
          unit: 'notes/s',
          ...compare(push, insertNotes),
          target: { of: 'ratio', is: 'at least', bound: 0.3 },
        },
      ];

const measurePulls = async (bench: Bench, company: CompanyWorld): Promise<Row> => {
  const { product, profile } = bench;
  const { databaseUrl } = product;
  const variants = {
    pull: () => runSyncTask({ what: 'pull', ...bulk, ...clientOf(bench, company) }),
    select: () =>
      runRepeatedTask<number>({
        file: bareSelects,
        input: { databaseUrl, companyId: company.companyId, ...bulk },
      }),
  };
  await interleave(profile.warmUpRounds, variants);
  const figures = await interleave(pullRounds, variants);
  return {
    name: 'sync full pull of 10,000 notes in pages of 500',
    unit: 'notes/s',
    ...compare(figures.pull, figures.select),
    target: targets.pull,
  };
};

const clientOf = ({ product }: Bench, company: CompanyWorld) => ({
  url: product.url,
  headers: bearer(company.key),
});

/**
 * A database in use reuses its write-ahead log files. A new one creates a file per 16 MB, 20 to 40 ms each,
 * which would count against pushes, because they write most.
 */
const reuseLogFiles = (databaseUrl: string): Promise<unknown> =>
  withClient(databaseUrl, (client) => client.query('checkpoint'));
