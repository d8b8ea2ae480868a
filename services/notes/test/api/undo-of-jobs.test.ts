import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId, runId } from '@commonplace/contracts';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { undoToEnd } from '../undo-to-end.ts';

let world: NotesWorld;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  world = await createNotesWorld({ stopSource: async () => ({ agentId: null, isPaused: false }) });
  stopWorkers = startWorkers(world);
});

afterAll(async () => {
  await stopWorkers();
  await world.close();
});

/** A run with a background job that takes a while, and the operator who undoes it. */
const aRunWithJob = async () => {
  const company = aCompany();
  const run = runId.parse(newId());
  const agent = agentCaller({ companyId: company, runId: run, keyId: null });
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  const began = new Date().toISOString();
  const changes = Array.from({ length: 3_000 }, (_, index) => putOf({ content: `${index}` }));
  const client = syncClient(world, agent);
  const { body } = await client.post({ mode: 'background', changes }).expect(202);
  const statusNow = async (): Promise<string> =>
    (await world.as(agent).get(`/api/sync/${body.jobId}`).expect(200)).body.status;
  return {
    run,
    began,
    client,
    statusNow,
    undo: (request: object) => undoToEnd(world.as(operator), request),
  };
};

it('an undo cancels the background jobs of its source', async () => {
  const { run, client, statusNow, undo } = await aRunWithJob();
  const { outcomes, progress } = await undo({ runId: run });
  expect(await statusNow()).toBe('cancelled');
  expect(outcomes.removed).toBe(progress.total);
  expect((await client.pullAll()).changes).toEqual([]);
});

it('an undo leaves a background job that began after the end of what it undoes', async () => {
  const { run, began, statusNow, undo } = await aRunWithJob();
  await undo({ runId: run, until: began });
  let status = await statusNow();
  while (['queued', 'running'].includes(status)) {
    await sleep(10);
    status = await statusNow();
  }
  expect(status).toBe('succeeded');
});
