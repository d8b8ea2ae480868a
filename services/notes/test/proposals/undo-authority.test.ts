import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError, newId, runId, type Undo } from '@commonplace/contracts';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
let mayUndo = true;
const stopping = new AbortController();
let working: Promise<unknown>;

beforeAll(async () => {
  at = await createProposalsWorld({
    stopSource: () => Promise.resolve({ agentId: null, isPaused: false }),
    authorizeJob: () =>
      mayUndo
        ? Promise.resolve()
        : Promise.reject(new AppError('role_insufficient', 'The operator is a viewer now.')),
  });
  working = Promise.all(at.world.deps.map((deps) => runWorkers(deps, stopping.signal)));
});
afterAll(async () => {
  stopping.abort();
  await working;
  await at.world.close();
});

/** Undoes a run, and returns the undo at its end. */
const undo = async (run: string): Promise<Undo> => {
  const call = at.world.as(at.operator);
  const { body } = await call.post('/api/notes/undo').send({ runId: run }).expect(202);
  for (;;) {
    const { body: read } = await call.get(`/api/notes/undo/${body.id}`).expect(200);
    if ((read as Undo).finishedAt !== null) {
      return read as Undo;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
};

it('withdraws nothing for an operator who may no longer undo, and does for one who may', async () => {
  const run = newId();
  const id = await at.note('p');
  const caller = { ...at.proposer, runId: runId.parse(run), keyId: null };
  const { body } = await at.world
    .as(caller)
    .patch(`/api/notes/${id}`)
    .send({ edits: [{ op: 'append', text: 'x' }] })
    .expect(202);
  const proposalId = String(body.proposal.id);
  mayUndo = false;
  expect(await undo(run)).toMatchObject({ status: 'failed' });
  expect(await at.read(proposalId)).toMatchObject({ state: 'open' });
  mayUndo = true;
  expect(await undo(run)).toMatchObject({ status: 'succeeded', withdrawnProposals: 1 });
  expect(await at.read(proposalId)).toMatchObject({ state: 'rejected' });
});
