import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi, type CompanyWorld } from '@commonplace/e2e';
import { runFillTask } from '../load/run-fill-task.ts';
import { runStoredTask, type StoredRequest } from '../load/run-stored-task.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { watchNeighbour, type Watched } from '../system/watch-neighbour.ts';

const largeNotes = 500;
const largeBytes = 512 * 1024;
/** Eight MiB are the most that one request may push. */
const largeNotesAtOnce = 15;

/** How long one request of a company may hold up those of another, and what the process may hold meanwhile. */
const reached = { addedMs: 250, memoryMegabytes: 450 } as const;

type Load = {
  readonly name: string;
  readonly requests: readonly StoredRequest[];
  readonly atOnce: number;
};

/**
 * What one company feels of requests of another that are small, and whose effect is large because of what is
 * stored: large notes merged, deleted and listed, and small ones that are expensive to merge.
 */
export const fairnessStored: Measurement = {
  name: 'fairness-stored',
  measure: async (bench) => {
    const { product, log } = bench;
    const quiet = await bench.world.makeCompany('Quiet neighbour');
    const loud = await bench.world.makeCompany('Loud neighbour');
    const loads = await prepare(bench, loud);
    const alone = await watchNeighbour(product, quiet, () => sleep(10_000));
    log(`  alone: ${described(alone)}`);
    const rows: Row[] = [];
    let memoryMegabytes = 0;
    for (const { name, ...load } of loads) {
      const task = { url: product.url, headers: bearer(loud.key), ...load };
      const beside = await watchNeighbour(product, quiet, () => runStoredTask(task));
      memoryMegabytes = Math.max(memoryMegabytes, beside.memoryMegabytes);
      const note = `${described(beside)}, responses ${JSON.stringify(beside.result)}`;
      log(`  ${name}: ${note}`);
      rows.push({
        name: `longest wait of another company added by ${name}`,
        unit: 'ms',
        value: Math.max(0, beside.longestMs - alone.longestMs),
        limit: null,
        reach: { of: 'value', is: 'at most', bound: reached.addedMs },
        note,
      });
    }
    return [
      ...rows,
      {
        name: 'memory (PSS) of the notes process at most, under these requests',
        unit: 'MB',
        value: memoryMegabytes,
        limit: null,
        reach: { of: 'value', is: 'at most', bound: reached.memoryMegabytes },
      },
    ];
  },
};

const described = (watched: Watched<unknown>): string => {
  const { longestMs, p99Ms, refused, memoryMegabytes } = watched;
  const times = `longest ${Math.round(longestMs)} ms, p99 ${Math.round(p99Ms)} ms`;
  return `${times}, ${refused} refused, notes process ${memoryMegabytes} MB`;
};

/** Makes the notes, and the requests about them; the notes are deleted last. */
const prepare = async ({ product: { url } }: Bench, company: CompanyWorld): Promise<Load[]> => {
  const headers = bearer(company.key);
  const ids = Array.from({ length: largeNotes }, () => randomUUID());
  const api = createApi({ baseUrl: url, headers });
  const { cursor } = (await api('POST', '/api/sync', { body: {} })).body as SyncPage;
  const repeating = ids.map(() => randomUUID());
  await runFillTask({ url, headers, ids, atOnce: largeNotesAtOnce, bytes: largeBytes });
  const lines = 'the same line\n'.repeat(220);
  const bodies = [putAll(repeating, null, lines), putAll(repeating, 1, `above\n${lines}below\n`)];
  for (const request of bodies) {
    await runStoredTask({ url, headers, requests: [request], atOnce: 1 });
  }
  const list = { method: 'GET', path: '/api/notes?view=full&limit=200' } as const;
  const delta = { method: 'POST', path: '/api/sync', body: JSON.stringify({ cursor }) } as const;
  const reads = ids
    .slice(0, 400)
    .map((id) => ({ method: 'GET', path: `/api/notes/${id}` }) as const);
  return [
    { name: '200 reads of large notes at once', requests: reads, atOnce: 200 },
    {
      name: '50 deltas of 4 MiB at once',
      requests: Array.from({ length: 100 }, () => delta),
      atOnce: 50,
    },
    { name: '16 full lists at once', requests: Array.from({ length: 32 }, () => list), atOnce: 16 },
    { name: '150 merges of large notes', requests: [putAll(ids.slice(0, 150), 1, 'x')], atOnce: 1 },
    { name: '500 merges of large notes', requests: [putAll(ids, 1, 'y')], atOnce: 1 },
    {
      name: '500 merges of repeating lines',
      requests: [putAll(repeating, 1, `first\n${lines}last\n`)],
      atOnce: 1,
    },
    { name: '500 deletions of large notes', requests: [deleteAll(ids)], atOnce: 1 },
    { name: '500 changes in 8 MiB', requests: [changesOf(500, 8)], atOnce: 1 },
    { name: '10,000 changes in 32 MiB', requests: [changesOf(10_000, 32)], atOnce: 1 },
  ];
};

type SyncPage = { readonly cursor: string };

/** Changes of new notes whose body is nearly as large as this; what is not answered at once is a job. */
const changesOf = (count: number, mebibytes: number): StoredRequest => {
  const bytes = Math.floor((mebibytes * 1024 * 1024) / count) - 240;
  const content = `- "quoted" words\n`.repeat(bytes / 20);
  const changes = Array.from({ length: count }, () => ({
    mutationId: randomUUID(),
    id: randomUUID(),
    op: 'put',
    baseRevision: null,
    note: { content },
  }));
  return requestOf(changes, count > 500 ? { mode: 'background' } : {});
};

const requestOf = (changes: readonly object[], options: object = {}): StoredRequest => ({
  method: 'POST',
  path: '/api/sync',
  body: JSON.stringify({ clientId: 'neighbour', limit: 1, changes, ...options }),
});

const putAll = (
  ids: readonly string[],
  baseRevision: number | null,
  content: string,
): StoredRequest =>
  requestOf(
    ids.map((id) => ({
      mutationId: randomUUID(),
      id,
      op: 'put',
      baseRevision,
      note: { content },
    })),
  );

/** Of their second revision, which no merge has changed. */
const deleteAll = (ids: readonly string[]): StoredRequest =>
  requestOf(ids.map((id) => ({ mutationId: randomUUID(), id, op: 'delete', baseRevision: 2 })));
