import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/run-load.ts';
import { runSyncTask } from '../load/tasks.ts';
import type { Bench, Measurement } from '../measurement.ts';
import { compare } from '../interleave.ts';
import { noteOf } from '../system/texts.ts';

const flood = { pushers: 2, searchers: 16 } as const;
/** The flood of a round goes on until the last note of its pushes. */
const roundsWhenQuick = 3;
/** Excludes the start of the load processes from the measurement. */
const leadSeconds = 2;

/**
 * Latency of one company while another floods the system: two clients push 10,000 notes repeatedly and
 * sixteen search continuously. Both share gateway, service and database.
 */
export const fairness: Measurement = {
  name: 'fairness',
  measure: async (bench) => {
    const quiet = await bench.environment.makeCompany('Quiet');
    const loud = await bench.environment.makeCompany('Loud');
    await quietP99(bench, quiet);
    const { rounds, isQuick } = bench.profile;
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < (isQuick ? roundsWhenQuick : rounds); round += 1) {
      alone.push(await quietP99(bench, quiet));
      const flooding = startFlood(bench, loud);
      await sleep(leadSeconds * 1_000);
      beside.push(await quietP99(bench, quiet));
      await flooding.stop();
    }
    return [
      {
        name: 'p99 of a company while another one floods',
        unit: 'ms',
        ...compare(beside, alone),
        target: { of: 'ratio', is: 'at most', bound: 3 },
      },
    ];
  },
};

/** Four clients send few requests, and the slowest hundredth of them counts. */
const secondsOf = ({ seconds }: Bench['profile']): number => Math.max(2, seconds);

/** p99 of four clients that read, list and write. */
const quietP99 = async ({ product, profile }: Bench, company: CompanyWorld): Promise<number> => {
  const headers = { ...bearer(company.key), 'content-type': 'application/json' };
  const read: LoadRequest = { method: 'GET', path: `/api/notes/${company.noteId}`, headers };
  const list: LoadRequest = { method: 'GET', path: '/api/notes?limit=20', headers };
  const body = JSON.stringify(noteOf('quiet {{n}}'));
  const write: LoadRequest = { method: 'PUT', path: `/api/notes/${company.noteId}`, headers, body };
  const requests = [read, read, read, list, write];
  const { p99Ms } = await runLoad({
    url: product.url,
    requests,
    connections: 4,
    isCycled: true,
    seconds: secondsOf(profile),
  });
  return p99Ms;
};

/** Starts the flood. Its own failures are ignored: 503 is expected. */
const startFlood = ({ product, profile }: Bench, company: CompanyWorld) => {
  const headers = bearer(company.key);
  const ending = new AbortController();
  const pushOn = async () => {
    while (!ending.signal.aborted) {
      const task = { what: 'push', url: product.url, headers, notes: 10_000, batch: 500 } as const;
      await runSyncTask(task).catch(() => undefined);
    }
  };
  const search: LoadRequest = { method: 'GET', path: '/api/notes?q=fox&limit=50', headers };
  const searching = runLoad({
    url: product.url,
    requests: [search],
    connections: flood.searchers,
    seconds: leadSeconds + secondsOf(profile) + 1,
  }).catch(() => undefined);
  const all = [searching, ...Array.from({ length: flood.pushers }, pushOn)];
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(all);
    },
  };
};
