import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, type CompanyWorld } from '@commonplace/e2e';
import { runLoad } from '../load/run-load.ts';
import type { LoadRequest } from '../load/load.ts';
import { runSyncTask } from '../load/run-sync-task.ts';
import type { Bench, Measurement } from '../measurement.ts';
import { compare } from '../interleave.ts';
import { noteOf } from '../system/note-of.ts';

const flood = { pushers: 2, searchers: 16 } as const;
/** By then the processes that make the flood have started, which is no part of it. */
const leadSeconds = 2;

/**
 * What one company feels of the flood of another: 10,000 notes pushed over and over by two clients, and
 * sixteen that search without a pause. Both share gateway, service and database.
 */
export const fairness: Measurement = {
  name: 'fairness',
  measure: async (bench) => {
    const quiet = await bench.world.makeCompany('Quiet');
    const loud = await bench.world.makeCompany('Loud');
    await quietP99(bench, quiet);
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < bench.effort.rounds; round += 1) {
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
        reach: { of: 'ratio', is: 'at most', bound: 3 },
      },
    ];
  },
};

/** Four clients that read and write as people do. */
const quietP99 = async ({ product, effort }: Bench, company: CompanyWorld): Promise<number> => {
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
    seconds: effort.seconds,
  });
  return p99Ms;
};

/** What becomes of the flood itself is no matter here: it may well be told to come again. */
const startFlood = ({ product, effort }: Bench, company: CompanyWorld) => {
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
    seconds: leadSeconds + effort.seconds + 1,
  }).catch(() => undefined);
  const all = [searching, ...Array.from({ length: flood.pushers }, pushOn)];
  return {
    stop: async () => {
      ending.abort();
      await Promise.all(all);
    },
  };
};
