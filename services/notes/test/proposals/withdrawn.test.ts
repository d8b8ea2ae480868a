import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, runId, type Undo } from '@commonplace/contracts';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
const stopping = new AbortController();
let working: Promise<unknown>;

beforeAll(async () => {
  at = await createProposalsWorld({
    stopSource: () => Promise.resolve({ agentId: null, isPaused: false }),
  });
  working = Promise.all(at.world.deps.map((deps) => runWorkers(deps, stopping.signal)));
});
afterAll(async () => {
  stopping.abort();
  await working;
  await at.world.close();
});

/** Undoes, waits for the end and returns the undo. */
const undo = async (body: object): Promise<Undo> => {
  const { body: receipt } = await at.world
    .as(at.operator)
    .post('/api/notes/undo')
    .send(body)
    .expect(202);
  for (;;) {
    const { body: read } = await at.world
      .as(at.operator)
      .get(`/api/notes/undo/${receipt.id}`)
      .expect(200);
    if ((read as Undo).finishedAt !== null) {
      return read as Undo;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
};

/** Proposes with the token of a run. */
const proposeIn = async (run: string, id: string): Promise<string> => {
  const caller = { ...at.proposer, runId: runId.parse(run), keyId: null };
  const { body } = await at.world
    .as(caller)
    .patch(`/api/notes/${id}`)
    .send({ edits: [{ op: 'append', text: `${run}\n` }] })
    .expect(202);
  return body.proposal.id;
};

describe('an undo', () => {
  it('rejects the open proposals of its source and no others; a dry run counts them', async () => {
    const [run, other] = [newId(), newId()];
    const open = await proposeIn(run, await at.note('p'));
    const second = await proposeIn(run, await at.note('p'));
    const decided = await proposeIn(run, await at.note('p'));
    await at.accept(decided).expect(200);
    const ofOther = await proposeIn(other, await at.note('p'));
    expect(await undo({ runId: run, dryRun: true })).toMatchObject({ withdrawnProposals: 2 });
    expect(await at.read(open)).toMatchObject({ state: 'open' });
    expect(await undo({ runId: run })).toMatchObject({
      status: 'succeeded',
      withdrawnProposals: 2,
      outcomes: { undone: 1 },
    });
    for (const id of [open, second]) {
      expect(await at.read(id)).toMatchObject({
        state: 'rejected',
        decidedBy: { kind: 'operator', id: at.operator.operatorId, via: 'undo' },
        decisionReason: 'What it wrote was taken back, and its proposals with it.',
      });
    }
    expect(await at.read(decided)).toMatchObject({ state: 'accepted' });
    expect(await at.read(ofOther)).toMatchObject({ state: 'open' });
  });

  it('of an agent rejects those since the time, also where it is limited to some notes', async () => {
    const early = await proposeIn(newId(), await at.note('p'));
    const since = new Date(Date.parse((await at.read(early)).createdAt) + 1).toISOString();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const late = await proposeIn(newId(), await at.note('p'));
    const source = { agentId: at.proposer.agentId, since };
    const limited = { ...source, noteIds: [await at.note('p')] };
    expect(await undo({ ...limited, withdrawProposals: false })).toMatchObject({
      withdrawnProposals: 0,
    });
    expect(await at.read(late)).toMatchObject({ state: 'open' });
    expect(await undo(limited)).toMatchObject({ withdrawnProposals: 1 });
    expect(await at.read(late)).toMatchObject({ state: 'rejected' });
    expect(await at.read(early)).toMatchObject({ state: 'open' });
  });

  it('of an undo brings no proposal back', async () => {
    const run = newId();
    const id = await proposeIn(run, await at.note('p'));
    const first = await undo({ runId: run });
    expect(await undo({ undoId: first.id })).toMatchObject({ withdrawnProposals: 0 });
    expect(await at.read(id)).toMatchObject({ state: 'rejected' });
  });
});
