import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createApi, type Api } from '@commonplace/e2e';
import { withClient } from '../baselines/bare-tables.ts';
import { runFillTask, runStoredTask, type StoredRequest } from '../load/tasks.ts';
import type { Measurement, Row } from '../measurement.ts';

const largeBytes = 512 * 1024;
const [syncs, flags] = [60, 200] as const;
/** Lines of 50 bytes; in a whole run as many as a note holds. */
const appends = { quick: 4_000, whole: 10_000 } as const;
/** As many large notes as fill the largest result of a background job. */
const resultNotes = 8;
/**
 * A company keeps 64 MiB of finished jobs, with what they take besides. Of the flags only rows are kept: what remains is space of
 * texts that the next writes reuse.
 */
const targetMegabytes = { syncs: 80, flags: 24 } as const;
const jobsMaxMs = 120_000;
/** How many times the text of its last version the texts of a log take, with that of the note. */
const targetTimes = 3;
const line = `- ${'an agent says what it did, and why, '.repeat(2)}`;

/**
 * What small requests leave in the database for days: results of background jobs over large notes, versions of a large
 * note whose text did not change, and those of a log. They were once stored whole, 292 and 128 MB, and thousands of times the
 * log.
 */
export const storedBytes: Measurement = {
  name: 'stored-bytes',
  measure: async ({ product: { url, databaseUrl }, environment, profile, log }) => {
    const company = await environment.makeCompany('Stored bytes');
    const headers = bearer(company.key);
    const api = createApi({ baseUrl: url, headers });
    const ids = Array.from({ length: resultNotes }, () => randomUUID());
    await runFillTask({ url, headers, ids, atOnce: resultNotes, bytes: largeBytes });
    const send = (requests: readonly StoredRequest[]) =>
      runStoredTask({ url, headers, requests, atOnce: 8 });
    const grownBy = async (
      name: string,
      bound: number,
      work: () => Promise<unknown>,
    ): Promise<Row> => {
      const before = await sizeOfNotes(databaseUrl);
      const done = await work();
      const value = (await sizeOfNotes(databaseUrl)) - before;
      log(`  ${name}: ${value.toFixed(1)} MB, ${JSON.stringify(done)}`);
      return {
        name: `disk left by ${name}`,
        unit: 'MB',
        value,
        baseline: null,
        target: { of: 'value', is: 'at most', bound },
      };
    };
    return [
      await grownBy(`${syncs} background syncs of 21 bytes`, targetMegabytes.syncs, () =>
        syncInBackground(api),
      ),
      await grownBy(`${flags} flags set on a note of 512 KiB`, targetMegabytes.flags, () =>
        send(Array.from({ length: flags }, (_, index) => setPinned(ids[0] ?? '', index % 2 === 0))),
      ),
      await textsOfLog({
        api,
        send,
        databaseUrl,
        appends: appends[profile.isQuick ? 'quick' : 'whole'],
      }),
    ];
  },
};

type Log = {
  readonly api: Api;
  readonly send: (requests: readonly StoredRequest[]) => Promise<unknown>;
  readonly databaseUrl: string;
  readonly appends: number;
};

/** Appends to a note, and says what its texts take. */
const textsOfLog = async ({ api, send, databaseUrl, appends }: Log): Promise<Row> => {
  const id = randomUUID();
  await api('PUT', `/api/notes/${id}`, { body: { title: 'Journal' } });
  await send(Array.from({ length: appends }, (_, index) => appendTo(id, index)));
  const { stored, last } = await bytesOfTexts(databaseUrl, id);
  return {
    name: `texts of a note appended to ${appends} times, as stored, in last versions`,
    unit: 'times',
    value: stored / last,
    baseline: null,
    target: { of: 'value', is: 'at most', bound: targetTimes },
  };
};

/** Begins the jobs and waits until all have finished. */
const syncInBackground = async (api: Api): Promise<number> => {
  const begun = await Promise.all(
    Array.from({ length: syncs }, () => api('POST', '/api/sync', { body: { mode: 'background' } })),
  );
  const jobs = begun.flatMap(({ status, body }) =>
    status === 202 ? [(body as { readonly jobId: string }).jobId] : [],
  );
  const deadline = performance.now() + jobsMaxMs;
  for (const id of jobs) {
    while (performance.now() < deadline) {
      const { body } = await api('GET', `/api/sync/${id}`);
      if ((body as { readonly status: string }).status === 'succeeded') {
        break;
      }
      await sleep(100);
    }
  }
  return jobs.length;
};

const setPinned = (id: string, pinned: boolean): StoredRequest => ({
  method: 'PATCH',
  path: `/api/notes/${id}`,
  body: JSON.stringify({ edits: [{ op: 'set', pinned }] }),
});

const appendTo = (id: string, index: number): StoredRequest => ({
  method: 'PATCH',
  path: `/api/notes/${id}`,
  body: JSON.stringify({ edits: [{ op: 'append', text: `${`${index} ${line}`.slice(0, 49)}\n` }] }),
});

/** Of a note and its versions, and of the note alone, as they are compressed and stored. */
const bytesOfTexts = (databaseUrl: string, id: string) =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ readonly stored: number; readonly last: number }>(
      `select n.last::float8, n.last + coalesce(sum(pg_column_size(v.content)), 0)::float8 as stored
       from (select id, pg_column_size(content) as last from notes.notes where id = $1) n
       join notes.note_revisions v on v.note_id = n.id
       group by n.last`,
      [id],
    );
    return rows[0] ?? { stored: 0, last: 0 };
  });

/** The tables of the schema with what they store apart, in megabytes. */
const sizeOfNotes = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    await client.query('vacuum');
    const { rows } = await client.query<{ readonly megabytes: number }>(
      `select sum(pg_total_relation_size(oid))::float8 / 1048576 as megabytes
       from pg_class where relkind = 'r' and relnamespace = 'notes'::regnamespace`,
    );
    return rows[0]?.megabytes ?? 0;
  });
