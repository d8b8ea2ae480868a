import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, type Api, type CompanyWorld } from '@commonplace/e2e';
import { runLoad, type LoadFigures } from '../load/run-load.ts';
import type { Measurement } from '../measurement.ts';
import type { Product } from '../system/product.ts';
import { retryingApi } from '../system/retrying-api.ts';
import { noteOf } from '../system/texts.ts';

const notes = 1_000;
const batch = 500;
const writers = 8;
/** Writes of others, few enough that the machine has room for the undo. */
const perSecondMax = 100;
const secondsMin = 4;

/** Writes notes with an agent's key, and changes them with the token of its run. */
const changeByRun = async (
  { url }: Product,
  { key, runToken }: Pick<CompanyWorld, 'key' | 'runToken'>,
): Promise<void> => {
  const byKey = retryingApi({ baseUrl: url, headers: bearer(key) });
  const byRun = retryingApi({ baseUrl: url, headers: bearer(runToken) });
  for (let done = 0; done < notes; done += batch) {
    const ids = Array.from({ length: batch }, () => randomUUID());
    await push(byKey, ids, { baseRevision: null, note: noteOf('a note of an agent') });
    await push(byRun, ids, { baseRevision: 1, note: noteOf('changed by a run') });
  }
};

/** Writes the same to each note. */
const push = async (api: Api, ids: readonly string[], put: object): Promise<void> => {
  const changes = ids.map((id) => ({ mutationId: randomUUID(), id, op: 'put', ...put }));
  const body = { clientId: 'undo', pull: 'none', changes };
  const { status } = await api('POST', '/api/sync', { body });
  if (status !== 200) {
    throw new Error(`The notes were not written: ${status}`);
  }
};

/** An undo of 1,000 notes that a run changed, while others of the company write. */
export const undo: Measurement = {
  name: 'undo',
  measure: async ({ product, environment, profile }) => {
    const company = await environment.makeCompany('Undone');
    await changeByRun(product, company);
    const { companyId, key, runId } = company;
    const board = retryingApi({ baseUrl: product.url, headers: { 'x-company-id': companyId } });
    const write = (seconds: number) => writeOthers(product, key, seconds);
    const seconds = Math.max(secondsMin, 2 * profile.seconds);
    await write(seconds / 2);
    const alone = await write(seconds);
    const others = write(seconds);
    await sleep(500);
    const startedAt = performance.now();
    const begun = await board('POST', '/api/notes/undo', { body: { runId, pause: false } });
    const { id } = begun.body as { readonly id: string };
    const outcomes = await untilFinished(
      async () => (await board('GET', `/api/notes/undo/${id}`)).body,
    );
    const undoneSeconds = (performance.now() - startedAt) / 1_000;
    if (outcomes['undone'] !== notes) {
      throw new Error(`The undo ended with ${JSON.stringify(outcomes)}`);
    }
    const beside = await others;
    return [
      {
        name: `undo of ${notes} notes of a run, beside writers`,
        unit: 's',
        value: undoneSeconds,
        baseline: null,
        target: { of: 'value', is: 'at most', bound: 2 },
      },
      {
        name: `PUT of others beside the undo, ${perSecondMax} a second, p99`,
        unit: 'ms',
        value: beside.p99Ms,
        baseline: alone.p99Ms,
        target: { of: 'ratio', is: 'at most', bound: 1.5 },
      },
    ];
  },
};

type Undo = {
  readonly finishedAt: string | null;
  readonly outcomes: Readonly<Record<string, number>>;
};

const untilFinished = async (read: () => Promise<unknown>): Promise<Undo['outcomes']> => {
  for (;;) {
    const { finishedAt, outcomes } = (await read()) as Undo;
    if (finishedAt !== null) {
      return outcomes;
    }
    await sleep(50);
  }
};

/** New notes of an agent's key. */
const writeOthers = ({ url }: Product, key: string, seconds: number): Promise<LoadFigures> =>
  runLoad({
    url,
    requests: [
      {
        method: 'PUT',
        path: '/api/notes/{{id}}',
        headers: { ...bearer(key), 'content-type': 'application/json' },
        body: JSON.stringify(noteOf('put {{n}}')),
      },
    ],
    connections: writers,
    seconds,
    perSecondMax,
  });
