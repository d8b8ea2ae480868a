import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { drawChart } from '../growth/draw-chart.ts';
import { addCompanies, fillCompany } from '../growth/fill.ts';
import {
  measureOperations,
  operationNames,
  type Latencies,
  type OperationName,
} from '../growth/operations.ts';
import { sizesOf } from '../growth/sizes-of.ts';
import { withReference } from '../growth/with-reference.ts';
import { writePlans } from '../growth/write-plans.ts';
import { withClient } from '../limits/bare-tables.ts';
import { interleave } from '../interleave.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { median } from '../median.ts';

const docs = join(import.meta.dirname, '../../../../docs/performance');

/** What latencies were at each size: of the growing thing, and of what stayed small beside it. */
type Curve = { readonly grown: Latencies[]; readonly small: Latencies[] };

/**
 * How latency grows with the notes of a company and with the number of companies. Each size is measured
 * in turn with a company of 1,000 notes that stays alone, so that the machine's moods meet both: in the same
 * database while the notes grow, in one of its own while the companies do. Writes charts and plans into
 * docs/performance.
 */
export const growth: Measurement = {
  name: 'growth',
  measure: (bench) =>
    withClient(bench.product.databaseUrl, async (client) => {
      const companies = await measureCompanies(bench, client);
      const notes = await measureNotes(bench, client);
      draw('notes in one company', sizesOf(bench).notes, notes);
      draw('companies', sizesOf(bench).companies, companies);
      return [
        ...rowsOf('with most companies, with 1', companies.grown.at(-1), companies.small.at(-1)),
        ...rowsOf('at most notes, at 1,000', notes.grown.at(-1), notes.small.at(-1)),
      ];
    }),
};

/** Before the large company comes: one company of 1,000 notes, among ever more others. */
const measureCompanies = (bench: Bench, client: pg.Client): Promise<Curve> =>
  withReference(1_000, async (measureAlone) => {
    const company = await bench.world.makeCompany('Among many');
    await fillCompany(client, company.companyId, 1_000);
    const curve: Curve = { grown: [], small: [] };
    let there = 1;
    for (const size of sizesOf(bench).companies) {
      await addCompanies(client, size - there);
      there = size;
      await client.query('vacuum analyze');
      bench.log(`growth: ${size} companies`);
      await measureInTurn(bench, curve, {
        small: () => measureAlone(bench.effort.seconds / 2),
        grown: () => measure(bench, client, company),
      });
    }
    return curve;
  });

const measureNotes = async (bench: Bench, client: pg.Client): Promise<Curve> => {
  const [small, grown] = [
    await bench.world.makeCompany('Small'),
    await bench.world.makeCompany('Large'),
  ];
  await fillCompany(client, small.companyId, 1_000);
  const curve: Curve = { grown: [], small: [] };
  for (const size of sizesOf(bench).notes) {
    await fillCompany(client, grown.companyId, size);
    await client.query('vacuum analyze');
    bench.log(`growth: ${size} notes`);
    await measureInTurn(bench, curve, {
      small: () => measure(bench, client, small),
      grown: () => measure(bench, client, grown),
    });
  }
  await writePlans(bench.product, client, grown);
  return curve;
};

type Company = Parameters<typeof measureOperations>[0]['company'];

const measure = (
  { product, effort }: Bench,
  client: pg.Client,
  company: Company,
): Promise<Latencies> =>
  measureOperations({ url: product.url, client, company, seconds: effort.seconds / 2 });

/** Adds a point to both curves: the medians of rounds that were measured in turn. */
const measureInTurn = async (
  { effort }: Bench,
  curve: Curve,
  ways: Readonly<Record<keyof Curve, () => Promise<Latencies>>>,
): Promise<void> => {
  const { small, grown } = await interleave(effort.rounds, ways);
  curve.small.push(middle(small));
  curve.grown.push(middle(grown));
};

const middle = (measured: readonly Latencies[]): Latencies =>
  Object.fromEntries(
    operationNames.map((name) => [name, median(measured.map((one) => one[name]))]),
  ) as Latencies;

const judged: readonly OperationName[] = ['read', 'write', 'delta'];

/** Compares the largest size with what was measured beside it. */
const rowsOf = (
  title: string,
  grown: Latencies | undefined,
  beside: Latencies | undefined,
): Row[] =>
  operationNames.map((name) => ({
    name: `${name} ${title}`,
    unit: 'ms',
    value: grown?.[name] ?? Number.NaN,
    limit: beside?.[name] ?? Number.NaN,
    reach: judged.includes(name) ? { of: 'ratio', is: 'at most', bound: 1.3 } : null,
  }));

const draw = (sizeName: string, at: readonly number[], { grown, small }: Curve): void => {
  const series = operationNames.map((name) => ({ name, values: grown.map((one) => one[name]) }));
  const title = `Latency for one client (ms) over ${sizeName}`;
  mkdirSync(docs, { recursive: true });
  const file = `growth-${sizeName.split(' ')[0]}`;
  writeFileSync(join(docs, `${file}.svg`), drawChart({ title, sizes: at, sizeName, series }));
  writeFileSync(
    join(docs, `${file}.json`),
    `${JSON.stringify({ sizes: at, grown, small }, null, 2)}\n`,
  );
};
