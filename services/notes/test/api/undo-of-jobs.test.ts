import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { putOf, syncClient } from '../sync-client.ts';
import { undoToEnd } from '../undo-to-end.ts';
import { aTeam, undoWorld } from '../undo-world.ts';

const as = undoWorld();

/** A run with a background job that takes a while, and the operator who undoes it. */
const aRunWithJob = async () => {
  const { run, agent, operator } = aTeam();
  const began = new Date().toISOString();
  const changes = Array.from({ length: 3_000 }, (_, index) => putOf({ content: `${index}` }));
  const client = syncClient({ as }, agent);
  const { body } = await client.post({ mode: 'background', changes }).expect(202);
  const statusNow = async (): Promise<string> =>
    (await as(agent).get(`/api/sync/${body.jobId}`).expect(200)).body.status;
  return {
    run,
    began,
    client,
    statusNow,
    undo: (request: object) => undoToEnd(as(operator), request),
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
