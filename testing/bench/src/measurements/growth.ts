import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { drawChart } from '../growth/draw-chart.ts';
import { addCompanies, fillCompany, sizesOf } from '../growth/fill.ts';
import {
  measureOperations,
  noteOperationNames,
  operationNames,
  type Latencies,
  type OperationName,
} from '../growth/operations.ts';
import { withReference } from '../growth/with-reference.ts';
import { writePlans } from '../growth/write-plans.ts';
import { withClient } from '../baselines/bare-tables.ts';
import { interleave } from '../interleave.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { median } from '../median.ts';

const docs = join(import.meta.dirname, '../../../../docs/performance');

/** Latencies at each size, of the growing data and of the small reference. */
type Curve = { readonly grown: Latencies[]; readonly small: Latencies[] };

/**
 * How latency grows with the notes of a company and with the number of companies. Each size alternates with
 * a company of 1,000 notes, so that the machine's variations affect both: in the same database while the notes
 * grow, in a second one while the companies do. Writes charts and plans into
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
        ...rowsOf('with most companies, with 1', companies),
        ...rowsOf('at most notes, at 1,000', notes),
      ];
    }),
};

/** One company of 1,000 notes among a growing number of others. */
const measureCompanies = (bench: Bench, client: pg.Client): Promise<Curve> =>
  withReference(1_000, async (measureAlone) => {
    const company = await bench.environment.makeCompany('Among many');
    await fillCompany(client, company.companyId, { to: 1_000 });
    const curve: Curve = { grown: [], small: [] };
    let there = 1;
    for (const size of sizesOf(bench).companies) {
      await addCompanies(client, size - there);
      there = size;
      await client.query('vacuum analyze');
      bench.log(`growth: ${size} companies`);
      await measureAlternately(bench, curve, {
        small: () => measureAlone(bench.profile.seconds / 2),
        grown: () => measure(bench, { client, company }),
      });
    }
    return curve;
  });

/** As many links as the notes that are written with links. */
const links = { each: 10 };

const measureNotes = async (bench: Bench, client: pg.Client): Promise<Curve> => {
  const [small, grown] = [
    await bench.environment.makeCompany('Small'),
    await bench.environment.makeCompany('Large'),
  ];
  await fillCompany(client, small.companyId, { to: 1_000, links });
  const curve: Curve = { grown: [], small: [] };
  for (const size of sizesOf(bench).notes) {
    await fillCompany(client, grown.companyId, { to: size, links });
    await client.query('vacuum analyze');
    bench.log(`growth: ${size} notes`);
    await measureAlternately(bench, curve, {
      small: () => measure(bench, { client, company: small }, noteOperationNames),
      grown: () => measure(bench, { client, company: grown }, noteOperationNames),
    });
  }
  await writePlans(bench.product, client, grown);
  return curve;
};

type Company = Parameters<typeof measureOperations>[0]['company'];

type Place = { readonly client: pg.Client; readonly company: Company };

const measure = (
  { product, profile }: Bench,
  place: Place,
  names: readonly OperationName[] = operationNames,
): Promise<Latencies> =>
  measureOperations({ url: product.url, ...place, seconds: profile.seconds / 2 }, names);

/** Adds a point to both curves: the medians of alternating rounds. */
const measureAlternately = async (
  { profile }: Bench,
  curve: Curve,
  variants: Readonly<Record<keyof Curve, () => Promise<Latencies>>>,
): Promise<void> => {
  const { small, grown } = await interleave(profile.rounds, variants);
  curve.small.push(middle(small));
  curve.grown.push(middle(grown));
};

const middle = (measured: readonly Latencies[]): Latencies =>
  Object.fromEntries(
    namesIn(measured[0]).map((name) => [
      name,
      median(measured.map((one) => one[name] ?? Number.NaN)),
    ]),
  );

const namesIn = (measured: Latencies | undefined): OperationName[] =>
  noteOperationNames.filter((name) => measured?.[name] !== undefined);

const namesWithTarget: readonly OperationName[] = ['read', 'write', 'delta', 'write with links'];

/** Compares the largest size with its reference. */
const rowsOf = (title: string, { grown, small }: Curve): Row[] =>
  namesIn(grown.at(-1)).map((name) => ({
    name: `${name} ${title}`,
    unit: 'ms',
    value: grown.at(-1)?.[name] ?? Number.NaN,
    baseline: small.at(-1)?.[name] ?? Number.NaN,
    target: namesWithTarget.includes(name) ? { of: 'ratio', is: 'at most', bound: 1.3 } : null,
  }));

const draw = (sizeName: string, at: readonly number[], { grown, small }: Curve): void => {
  const series = namesIn(grown[0]).map((name) => ({
    name,
    values: grown.map((one) => one[name] ?? Number.NaN),
  }));
  const title = `Latency for one client (ms) over ${sizeName}`;
  mkdirSync(docs, { recursive: true });
  const file = `growth-${sizeName.split(' ')[0]}`;
  writeFileSync(join(docs, `${file}.svg`), drawChart({ title, sizes: at, sizeName, series }));
  writeFileSync(
    join(docs, `${file}.json`),
    `${JSON.stringify({ sizes: at, grown, small }, null, 2)}\n`,
  );
};
