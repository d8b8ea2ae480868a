import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, runId, type Proposal, type Undo } from '@commonplace/contracts';
import { startWorkers } from '../start-workers.ts';
import { undoToEnd } from '../undo-to-end.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
let stopWorkers: () => Promise<void>;

beforeAll(async () => {
  at = await createProposalsWorld({
    stopSource: () => Promise.resolve({ agentId: null, isPaused: false }),
  });
  stopWorkers = startWorkers(at.world);
});
afterAll(async () => {
  await stopWorkers();
  await at.world.close();
});

const undo = (body: object): Promise<Undo> => undoToEnd(at.world.as(at.operator), body);

describe('an undo', () => {
  it('rejects the open proposals of its source and no others; a dry run counts them', async () => {
    const [run, other] = [newId(), newId()];
    const open = await at.proposeIn(run, await at.note('p'));
    const second = await at.proposeIn(run, await at.note('p'));
    const decided = await at.proposeIn(run, await at.note('p'));
    await at.accept(decided).expect(200);
    const ofOther = await at.proposeIn(other, await at.note('p'));
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

  it('of a run rejects what another run of the agent went on with', async () => {
    const [first, second] = [newId(), newId()];
    const id = await at.note('p');
    await at.proposeIn(first, id);
    const last = await at.proposeIn(second, id);
    const replaced = await at.note('p');
    await at.proposeIn(first, replaced);
    const whole = { ...at.proposer, runId: runId.parse(second), keyId: null };
    const { body } = await at.world
      .as(whole)
      .put(`/api/notes/${replaced}`)
      .send({ title: 'N', folder: 'p', content: 'other\n' })
      .expect(202);
    const { proposal } = body as { readonly proposal: Proposal };
    expect(await undo({ runId: newId(), dryRun: true })).toMatchObject({ withdrawnProposals: 0 });
    expect(await undo({ runId: first })).toMatchObject({ withdrawnProposals: 1 });
    expect(await at.read(last)).toMatchObject({ state: 'rejected' });
    // It has nothing of the first run.
    expect(await at.read(proposal.id)).toMatchObject({ state: 'open' });
    expect(await undo({ runId: second })).toMatchObject({ withdrawnProposals: 1 });
  });

  it('until a time rejects what has text from before, also where the same run went on with it later', async () => {
    const run = newId();
    const id = await at.note('p');
    const early = await at.proposeIn(run, id);
    const until = new Date(Date.parse((await at.read(early)).createdAt) + 1).toISOString();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const last = await at.proposeIn(run, id);
    const other = await at.proposeIn(run, await at.note('p'));
    expect(await undo({ runId: run, until })).toMatchObject({ withdrawnProposals: 1 });
    expect(await at.read(last)).toMatchObject({ state: 'rejected' });
    expect(await at.read(other)).toMatchObject({ state: 'open' });
  });

  it('of a run finds its text after a hundred edits of two other runs', async () => {
    const [first, ...others] = [newId(), newId(), newId()];
    const id = await at.note('p');
    await at.proposeIn(first, id);
    for (let edit = 0; edit < 101; edit += 1) {
      await at.proposeIn(others[edit % 2] ?? first, id);
    }
    expect(await undo({ runId: first, dryRun: true })).toMatchObject({ withdrawnProposals: 1 });
    expect(await undo({ runId: newId(), dryRun: true })).toMatchObject({ withdrawnProposals: 0 });
  });

  it('of an agent rejects those since the time, also where it is limited to some notes', async () => {
    const early = await at.proposeIn(newId(), await at.note('p'));
    const since = new Date(Date.parse((await at.read(early)).createdAt) + 1).toISOString();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const late = await at.proposeIn(newId(), await at.note('p'));
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
    const id = await at.proposeIn(run, await at.note('p'));
    const first = await undo({ runId: run });
    expect(await undo({ undoId: first.id })).toMatchObject({ withdrawnProposals: 0 });
    expect(await at.read(id)).toMatchObject({ state: 'rejected' });
  });
});
