import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endProposals } from '../../src/maintenance/end-proposals.ts';
import { pruneRevisions } from '../../src/maintenance/purge.ts';
import { aNoteId, anAgent } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { createProposalsWorld, proposing, type ProposalsWorld } from './proposals-world.ts';

const dayMs = 86_400_000;
let now = new Date('2026-03-01T00:00:00.000Z');

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld({ clock: () => now });
});
afterAll(() => at.world.close());

const endDue = async () => {
  for (const deps of at.world.deps) {
    await endProposals(deps, new AbortController().signal);
  }
};
const append = (text: string) => ({ op: 'append', text });

describe('open proposals', () => {
  it('are at most 100 of an agent; those that stand for earlier ones need no room', async () => {
    const agent = { ...anAgent(at.company), grants: proposing };
    const { sync } = syncClient(at.world, agent);
    const changes = Array.from({ length: 101 }, () => putOf({ folder: 'p', content: 'x' }));
    const { results } = await sync({ changes, proposals: true });
    expect(results.filter(({ status }) => status === 'proposed')).toHaveLength(100);
    expect(results.at(-1)).toMatchObject({ status: 'rejected', error: { code: 'proposal_limit' } });
    const [first] = changes;
    const again = putOf({ folder: 'p', content: 'y' }, { id: String(first?.id) });
    expect((await sync({ changes: [again], proposals: true })).results).toMatchObject([
      { status: 'proposed' },
    ]);
    const id = aNoteId();
    const refused = await at.world.as(agent).put(`/api/notes/${id}`).send({ folder: 'p' });
    expect([refused.status, refused.body.code]).toEqual([409, 'proposal_limit']);
    await at.reject(String(results[1]?.proposalId)).expect(200);
    await at.world.as(agent).put(`/api/notes/${id}`).send({ folder: 'p' }).expect(202);
  });

  it('are at most 1,000 of a company', async () => {
    const at1000 = await createProposalsWorld();
    for (let index = 0; index < 10; index += 1) {
      const agent = { ...anAgent(at1000.company), grants: proposing };
      const changes = Array.from({ length: 100 }, () => putOf({ folder: 'p', content: 'x' }));
      const { results } = await syncClient(at1000.world, agent).sync({ changes, proposals: true });
      expect(results.at(-1)).toMatchObject({ status: 'proposed' });
    }
    const { body } = await at1000.world
      .as(at1000.proposer)
      .put(`/api/notes/${aNoteId()}`)
      .send({ folder: 'p' })
      .expect(409);
    expect(body).toMatchObject({ code: 'proposal_limit' });
    expect((await at1000.list('?limit=1')).open).toBe(1_000);
    await at1000.world.close();
  });

  it('end after 30 days, and the agent reads of it', async () => {
    const id = await at.note('p');
    const proposal = await at.propose(id, append('x'));
    now = new Date(now.getTime() + 30 * dayMs - 1);
    await endDue();
    expect(await at.read(proposal.id)).toMatchObject({
      state: 'open',
      content: expect.any(String),
    });
    now = new Date(now.getTime() + 1);
    const expired = { code: 'proposal_decided', state: 'expired' };
    // Also before the row says so.
    expect((await at.reject(proposal.id).expect(409)).body).toMatchObject(expired);
    expect((await at.accept(proposal.id).expect(409)).body).toMatchObject(expired);
    await endDue();
    expect(await at.read(proposal.id)).toMatchObject({ state: 'expired', content: null });
    const context = await at.world.as(at.proposer).post('/api/context').send({}).expect(200);
    expect(context.body.proposals).toMatchObject({
      open: 0,
      ended: [{ id: proposal.id, state: 'expired' }],
    });
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
    now = new Date(now.getTime() + 30 * dayMs);
    await endDue();
    expect((await at.list(`?noteId=${id}`)).items).toEqual([]);
  });

  it('leave no text behind once they are decided, and the version still names who accepted it', async () => {
    const id = await at.note('p');
    const accepted = await at.propose(id, append('x'));
    await at.accept(accepted.id).expect(200);
    const rejected = await at.propose(id, append('y'));
    await at.reject(rejected.id).expect(200);
    now = new Date(now.getTime() + 60 * dayMs);
    await endDue();
    expect((await at.list(`?noteId=${id}`)).items).toMatchObject([{ id: accepted.id }]);
    expect(await at.read(accepted.id)).toMatchObject({ content: null, diff: [] });
    const { body } = await at.world.as(at.writer).get(`/api/notes/${id}/revisions/2`).expect(200);
    expect(body.proposal).toMatchObject({ proposalId: accepted.id });
  });

  it('go with the version that they became', async () => {
    const id = await at.note('p');
    const first = await at.propose(id, append('x'));
    await at.accept(first.id).expect(200);
    const second = await at.propose(id, append('y'));
    await at.accept(second.id).expect(200);
    const kept = async () => (await at.list(`?noteId=${id}`)).items.map((each) => each.id);
    now = new Date(now.getTime() + 60 * dayMs);
    await endDue();
    expect(await kept()).toEqual([second.id, first.id]);
    now = new Date(now.getTime() + 400 * dayMs);
    for (const deps of at.world.deps) {
      await pruneRevisions(deps, { revisionDays: 365 }, new AbortController().signal);
    }
    await at.world.as(at.writer).get(`/api/notes/${id}/revisions/2`).expect(404);
    expect(await kept()).toEqual([second.id]);
  });
});

describe('a repetition of a write whose proposal is gone', () => {
  it('is 404, and rejected by synchronisation', async () => {
    const id = await at.note('p');
    const call = () =>
      at.world
        .as(at.proposer)
        .patch(`/api/notes/${id}`)
        .send({ mutationId: 'once', edits: [append('x')] });
    const { body } = await call().expect(202);
    expect((await call().expect(202)).body.proposal.id).toBe(body.proposal.id);
    const { sync } = syncClient(at.world, at.proposer);
    const changes = [putOf({ folder: 'p', content: 'y' })];
    await sync({ changes, proposals: true });
    for (const { state, id: each } of (await at.list('?limit=200')).items) {
      if (state === 'open') {
        await at.reject(each).expect(200);
      }
    }
    now = new Date(now.getTime() + 61 * dayMs);
    await endDue();
    expect((await call().expect(404)).body).toMatchObject({ code: 'not_found' });
    const { results } = await sync({ changes, proposals: true });
    expect(results).toMatchObject([{ status: 'rejected', error: { code: 'not_found' } }]);
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
  });
});
