import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, newId, type Undo } from '@commonplace/contracts';
import { startWorkers } from '../start-workers.ts';
import { undoToEnd } from '../undo-to-end.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
let mayUndo = true;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  at = await createProposalsWorld({
    stopSource: () => Promise.resolve({ agentId: null, isPaused: false }),
    authorizeJob: () =>
      mayUndo
        ? Promise.resolve()
        : Promise.reject(new AppError('role_insufficient', 'The operator is a viewer now.')),
  });
  stopWorkers = startWorkers(at.world);
});
afterAll(async () => {
  await stopWorkers();
  await at.world.close();
});

const undo = (run: string): Promise<Undo> => undoToEnd(at.world.as(at.operator), { runId: run });

it('withdraws nothing for an operator who may no longer undo, and does for one who may', async () => {
  const run = newId();
  const proposalId = await at.proposeIn(run, await at.note('p'));
  mayUndo = false;
  expect(await undo(run)).toMatchObject({ status: 'failed' });
  expect(await at.read(proposalId)).toMatchObject({ state: 'open' });
  mayUndo = true;
  expect(await undo(run)).toMatchObject({ status: 'succeeded', withdrawnProposals: 1 });
  expect(await at.read(proposalId)).toMatchObject({ state: 'rejected' });
});
