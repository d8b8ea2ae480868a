import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, createApi } from '@commonplace/e2e';
import { startCitusCluster, startPlainNode, whyNoCluster } from '@commonplace/testkit/citus';
import { compare, interleave } from '../interleave.ts';
import { runLoad, type LoadRequest } from '../load/run-load.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { createEnvironment } from '../system/environment.ts';
import { removeProduct, startProduct, type Product } from '../system/product.ts';
import { creatingChange, noteOf } from '../system/texts.ts';

const companiesCount = 32;
const notesPerCompany = 200;

/**
 * The same requests of 32 companies on a coordinator with two workers and on one PostgreSQL of the same version and
 * programs, all on this machine.
 */
export const citus: Measurement = {
  name: 'citus',
  measure: async (bench) => {
    const why = whyNoCluster();
    if (why !== null) {
      bench.log(`citus is skipped: ${why}`);
      return [];
    }
    const plain = await startPlainNode();
    const cluster = await startCitusCluster();
    const sides: Side[] = [];
    try {
      sides.push(await startSide({ DATABASE_URL: plain.url }));
      sides.push(await startSide({ DATABASE_URL: cluster.url, DATABASE_CITUS: 'on' }));
      const [baseline, ours] = sides;
      return baseline && ours ? await measureKinds(bench, { ours, baseline }) : [];
    } finally {
      for (const { product } of sides) {
        await product.stop();
        await removeProduct(product.dataDir);
      }
      await cluster.stop();
      await plain.stop();
    }
  },
};

/** A product on one of the databases, with its companies. */
type Side = { readonly product: Product; readonly companies: readonly Company[] };

type Company = { readonly key: string; readonly noteId: string };

const startSide = async (environment: Readonly<Record<string, string>>): Promise<Side> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
  await chmod(dataDir, 0o711);
  const product = await startProduct(dataDir, environment);
  const { makeCompany } = await createEnvironment(product);
  const companies: Company[] = [];
  for (let index = 0; index < companiesCount; index += 1) {
    const { key } = await makeCompany(`Busy ${index}`);
    companies.push({ key, noteId: await fill(product, key) });
  }
  return { product, companies };
};

/** Pushes notes to a company; returns the id of one. */
const fill = async ({ url }: Product, key: string): Promise<string> => {
  const changes = Array.from({ length: notesPerCompany }, (_, index) => ({
    mutationId: `${index}`,
    id: randomUUID(),
    op: 'put',
    baseRevision: null,
    note: noteOf(`note ${index}`),
  }));
  const api = createApi({ baseUrl: url, headers: bearer(key) });
  const body = { clientId: 'fill', limit: 1, changes };
  const { status } = await api('POST', '/api/sync', { body });
  if (status !== 200) {
    throw new Error(`Filling a company returned ${status}`);
  }
  // A search waits for what was pushed, for some seconds each.
  let isComplete: boolean | undefined;
  while (isComplete !== true) {
    const { body: found } = await api('GET', '/api/notes?q=fox&limit=20');
    ({ isComplete } = found as { readonly isComplete?: boolean });
  }
  return changes[0]?.id ?? '';
};

type Kind = {
  readonly name: string;
  readonly request: (company: Company) => Omit<LoadRequest, 'headers'>;
};

const kinds: readonly Kind[] = [
  {
    name: 'read of a note',
    request: ({ noteId }) => ({ method: 'GET', path: `/api/notes/${noteId}` }),
  },
  {
    name: 'PUT of a new note',
    request: () => ({
      method: 'PUT',
      path: '/api/notes/{{id}}',
      body: JSON.stringify(noteOf('put {{n}}')),
    }),
  },
  {
    name: 'push of a new note',
    request: () => ({
      method: 'POST',
      path: '/api/sync',
      body: JSON.stringify({
        clientId: 'bench',
        limit: 1,
        pull: 'none',
        changes: [creatingChange],
      }),
    }),
  },
  {
    name: 'pull of 50 notes',
    request: () => ({ method: 'POST', path: '/api/sync', body: JSON.stringify({ limit: 50 }) }),
  },
  { name: 'list of 20 notes', request: () => ({ method: 'GET', path: '/api/notes?limit=20' }) },
  {
    name: 'search, page of 20',
    request: () => ({ method: 'GET', path: '/api/notes?q=note&limit=20' }),
  },
];

const measureKinds = async (
  { profile, log }: Bench,
  sides: { readonly ours: Side; readonly baseline: Side },
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const { name, request } of kinds) {
    log(`citus: ${name}`);
    const rateOf = async ({ product, companies }: Side): Promise<number> => {
      const requests = companies.map((company) => ({
        ...request(company),
        headers: { ...bearer(company.key), 'content-type': 'application/json' },
      }));
      const { seconds } = profile;
      return (await runLoad({ url: product.url, requests, connections: companiesCount, seconds }))
        .perSecond;
    };
    const variants = { ours: () => rateOf(sides.ours), baseline: () => rateOf(sides.baseline) };
    await interleave(1, variants);
    const figures = await interleave(profile.rounds, variants);
    rows.push({
      name: `${name}, ${companiesCount} companies, on Citus against one PostgreSQL`,
      unit: 'requests/s',
      ...compare(figures.ours, figures.baseline),
      target: { of: 'ratio', is: 'at least', bound: 0.4 },
    });
  }
  return rows;
};
