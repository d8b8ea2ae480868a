import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { databaseConnections } from '@commonplace/config';
import type { SyncJob } from '@commonplace/contracts';
import type { AgentCaller } from '@commonplace/identity';
import { anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf } from '../sync-client.ts';

/** The fewest connections that are configurable. */
const connectionsMin = Array.from({ length: 10 }, (_, count) => count).findIndex(
  (count) => databaseConnections.safeParse(String(count)).success,
);

const agents = [anAgent(), anAgent()];
/** The companies whose jobs have begun. */
const begun = new Set<string>();
let world: NotesWorld;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  // A job that fails is retried later, and this clock never gets there.
  const at = new Date();
  world = await createNotesWorld({
    connectionsMax: connectionsMin,
    clock: () => at,
    authorizeJob: async ({ companyId }) => {
      begun.add(companyId);
      while (begun.size < agents.length) {
        await sleep(5);
      }
    },
  });
  stopWorkers = startWorkers(world);
});

afterAll(async () => {
  await stopWorkers();
  await world.close();
});

const order = async (agent: AgentCaller): Promise<string> => {
  const body = { clientId: 'laptop', mode: 'background', changes: [putOf({ title: 'By a job' })] };
  const { headers } = await world.as(agent).post('/api/sync').send(body).expect(202);
  return headers['location'] ?? '';
};

const ended = async (agent: AgentCaller, path: string): Promise<SyncJob> => {
  for (;;) {
    const { body } = await world.as(agent).get(path);
    if ((body as SyncJob).finishedAt !== null) {
      return body as SyncJob;
    }
    await sleep(50);
  }
};

it('with the fewest connections, the jobs of two companies both end at the first attempt', async () => {
  const paths = await Promise.all(agents.map(order));
  const jobs = await Promise.all(agents.map((agent, index) => ended(agent, paths[index] ?? '')));
  expect(jobs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
});
