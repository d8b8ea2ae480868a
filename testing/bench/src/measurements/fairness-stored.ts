import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi, type CompanyWorld } from '@commonplace/e2e';
import { runFillTask, runStoredTask, type StoredRequest } from '../load/tasks.ts';
import type { Bench, Measurement, Row } from '../measurement.ts';
import { watchNeighbour, type Watched } from '../system/watch-neighbour.ts';

const largeNotes = { whole: 500, quick: 150 } as const;
const largeReads = 400;
const largeBytes = 512 * 1024;
/** A request may push at most 8 MiB. */
const largeNotesAtOnce = 15;

/** Added wait of another company's requests, and memory of the notes process. */
const targets = { addedMs: 250, memoryMegabytes: 400 } as const;

type Load = {
  readonly name: string;
  readonly requests: readonly StoredRequest[];
  readonly atOnce: number;
};

/**
 * Latencies of one company beside another company's small requests with large effects: large notes merged,
 * deleted and listed, and small notes that are expensive to merge.
 */
export const fairnessStored: Measurement = {
  name: 'fairness-stored',
  measure: async (bench) => {
    const { product, profile, log } = bench;
    const quiet = await bench.environment.makeCompany('Quiet neighbour');
    const loud = await bench.environment.makeCompany('Loud neighbour');
    const loads = await prepare(bench, loud);
    const alone = await watchNeighbour(product, quiet, () =>
      sleep(profile.isQuick ? 5_000 : 10_000),
    );
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
        baseline: null,
        target: { of: 'value', is: 'at most', bound: targets.addedMs },
        note,
      });
    }
    return [
      ...rows,
      {
        name: 'memory (PSS) of the notes process at most, under these requests',
        unit: 'MB',
        value: memoryMegabytes,
        baseline: null,
        target: { of: 'value', is: 'at most', bound: targets.memoryMegabytes },
      },
    ];
  },
};

const described = (watched: Watched<unknown>): string => {
  const { longestMs, p99Ms, refused, memoryMegabytes } = watched;
  const times = `longest ${Math.round(longestMs)} ms, p99 ${Math.round(p99Ms)} ms`;
  return `${times}, ${refused} failed, notes process ${memoryMegabytes} MB`;
};

/** Creates the notes and returns the loads on them; the last one deletes them. */
const prepare = async (
  { product: { url }, profile }: Bench,
  company: CompanyWorld,
): Promise<Load[]> => {
  const headers = bearer(company.key);
  const count = largeNotes[profile.isQuick ? 'quick' : 'whole'];
  const ids = Array.from({ length: count }, () => randomUUID());
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
  const reads = Array.from(
    { length: largeReads },
    (_, index) => ({ method: 'GET', path: `/api/notes/${ids[index % count]}` }) as const,
  );
  return [
    { name: '200 reads of large notes at once', requests: reads, atOnce: 200 },
    {
      name: '50 deltas of 4 MiB at once',
      requests: Array.from({ length: 100 }, () => delta),
      atOnce: 50,
    },
    { name: '16 full lists at once', requests: Array.from({ length: 32 }, () => list), atOnce: 16 },
    ...manyReaders(ids[0] ?? ''),
    // More of the same follow.
    ...(profile.isQuick ? [] : [merges(ids.slice(0, 150), 'x')]),
    merges(ids, 'y'),
    {
      name: `${count} merges of repeating lines`,
      requests: [putAll(repeating, 1, `first\n${lines}last\n`)],
      atOnce: 1,
    },
    ...(await changingLoads(async (request) => {
      await runStoredTask({ url, headers, requests: [request], atOnce: 1 });
    })),
    { name: `${count} deletions of large notes`, requests: [deleteAll(ids)], atOnce: 1 },
    { name: '500 changes in 8 MiB', requests: [changesOf(500, 8)], atOnce: 1 },
    { name: '10,000 changes in 32 MiB', requests: [changesOf(10_000, 32)], atOnce: 1 },
  ];
};

const merges = (ids: readonly string[], content: string): Load => ({
  name: `${ids.length} merges of large notes`,
  requests: [putAll(ids, 1, content)],
  atOnce: 1,
});

const readersAtOnce = 450;

/** As many requests for one large note as one client can have open: each holds its texts while it is served. */
const manyReaders = (id: string): Load[] => {
  const path = `/api/notes/${id}`;
  const params = { name: 'read_note', arguments: { id } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return [
    readersOf('blames', { method: 'GET', path: `${path}/blame` }),
    readersOf('differences', { method: 'GET', path: `${path}/diff?from=1&to=2` }),
    readersOf('edits', patch(id, { op: 'set', pinned: true })),
    readersOf('calls of read_note', { method: 'POST', path: '/mcp', body: call }),
  ];
};

const readersOf = (name: string, request: StoredRequest): Load => ({
  name: `${readersAtOnce} ${name} of one large note`,
  requests: Array.from({ length: readersAtOnce }, () => request),
  atOnce: readersAtOnce,
});

/** Loads on notes that change all the time: work in the threads that is done for nothing, and begins again. */
const changingLoads = async (send: (request: StoredRequest) => Promise<void>): Promise<Load[]> => {
  const [listed, repeating] = [randomUUID(), randomUUID()];
  const lines = 'the same line\n'.repeat(220);
  const list = `# List\n\n${'- line of the list\n'.repeat(largeBytes / 20)}`;
  await send(putAll([listed], null, list));
  await send(putAll([repeating], null, lines));
  await send(putAll([repeating], 1, `above\n${lines}below\n`));
  const edits = Array.from({ length: 40 }, (_, index) =>
    patch(listed, { op: 'prepend_to_section', heading: 'List', text: `- new ${index}` }),
  );
  const pins = Array.from({ length: 100 }, (_, index) =>
    patch(listed, { op: 'set', pinned: index % 2 === 0 }),
  );
  const merges = Array.from({ length: 100 }, (_, index) => [
    putAll([repeating], 1, `first ${index}\n${lines}last ${index}\n`),
    patch(repeating, { op: 'append', text: `${index}\n` }),
  ]).flat();
  return [
    { name: '40 heading edits of one costly note', requests: edits, atOnce: 8 },
    { name: '100 flags set on a large note', requests: pins, atOnce: 8 },
    { name: '100 merges of a note that changes meanwhile', requests: merges, atOnce: 8 },
  ];
};

const patch = (id: string, edit: object): StoredRequest => ({
  method: 'PATCH',
  path: `/api/notes/${id}`,
  body: JSON.stringify({ edits: [edit] }),
});

type SyncPage = { readonly cursor: string };

/** Changes of new notes in a body of nearly this size; more than 500 go to a background job. */
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

/** Deletes the second revision of each note. */
const deleteAll = (ids: readonly string[]): StoredRequest =>
  requestOf(ids.map((id) => ({ mutationId: randomUUID(), id, op: 'delete', baseRevision: 2 })));
