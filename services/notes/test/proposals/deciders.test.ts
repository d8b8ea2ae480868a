import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NoteGrant } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import { AppError, newId, keyId } from '@commonplace/contracts';
import { aCompany, anAgent } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { createProposalsWorld, proposing, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
let deciders: 'operators' | 'agents' = 'operators';
/** The lookups that succeed before the agents service fails. */
let lookupsLeft = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  at = await createProposalsWorld({
    findProposalDeciders: async () => {
      if ((lookupsLeft -= 1) < 0) {
        throw new AppError('service_unavailable');
      }
      return deciders;
    },
  });
});
beforeEach(() => {
  lookupsLeft = Number.POSITIVE_INFINITY;
});
afterAll(() => at.world.close());

const append = (text: string) => ({ op: 'append', text });
const open = async () => at.propose(await at.note('p'), append('x'));

const anywhere = { folder: '', scope: 'any', mode: 'direct' } as const;
const reach = (folder: string, scope: NoteGrant['scope'], mode: NoteGrant['mode'] = 'direct') =>
  ({ ...anAgent(at.company), grants: [{ folder, scope, mode }] }) as const;

describe('who decides', () => {
  it('are operators and owners, no viewers, and nobody of another company', async () => {
    const { id } = await open();
    const viewer = operatorCaller({ companies: [grant(at.company, 'viewer')] });
    const foreign = operatorCaller({ companies: [grant(aCompany(), 'owner')] });
    const path = `/api/notes/proposals/${id}`;
    for (const [caller, code] of [
      [viewer, 'role_insufficient'],
      [foreign, 'cross_company'],
      [anAgent(aCompany()), 'cross_company'],
    ] as const) {
      const { body } = await at.world.as(caller).post(`${path}/accept`).send({}).expect(403);
      expect(body).toMatchObject({ code });
    }
    await at.world.as(viewer).get(path).expect(200);
    await at.world.as(foreign).get(path).expect(403);
    const owner = operatorCaller({ companies: [grant(at.company, 'owner')] });
    await at.world.as(owner).post(`${path}/accept`).send({}).expect(200);
  });

  it('are agents only if the company says so', async () => {
    const { id } = await open();
    const path = `/api/notes/proposals/${id}`;
    deciders = 'operators';
    const decider = at.world.as(at.writer);
    for (const [verb, body] of [
      ['accept', {}],
      ['reject', { reason: 'no' }],
    ] as const) {
      const refused = await decider.post(`${path}/${verb}`).send(body).expect(403);
      expect(refused.body).toMatchObject({ code: 'operator_only' });
    }
    await decider.get(path).expect(404);
    expect((await decider.get('/api/notes/proposals')).body).toMatchObject({ items: [], open: 0 });
    deciders = 'agents';
    await decider.get(path).expect(200);
    const { body } = await decider.post(`${path}/accept`).send({}).expect(200);
    expect(body.proposal.decidedBy).toMatchObject({ kind: 'agent', id: at.writer.agentId });
  });

  it('are agents where their grants are any and direct, on both sides of a move', async () => {
    deciders = 'agents';
    const id = await at.note('own');
    const proposal = await at.propose(id, { op: 'set', folder: 'p' });
    const path = `/api/notes/proposals/${proposal.id}`;
    for (const caller of [
      reach('p', 'any'),
      reach('own', 'any'),
      reach('p', 'append'),
      reach('', 'read'),
      reach('', 'any', 'propose'),
    ]) {
      await at.world.as(caller).get(path).expect(404);
      await at.world.as(caller).post(`${path}/accept`).send({}).expect(404);
      await at.world.as(caller).post(`${path}/reject`).send({ reason: 'no' }).expect(404);
    }
    await at.world.as(reach('', 'any')).post(`${path}/accept`).send({}).expect(200);
  });

  it('is never the agent that proposed, with whatever credential', async () => {
    deciders = 'agents';
    const proposal = await open();
    const { grants: _, ...whole } = at.proposer;
    for (const caller of [at.proposer, { ...whole, keyId: keyId.parse(newId()) }]) {
      for (const [verb, body] of [
        ['accept', {}],
        ['reject', { reason: 'no' }],
      ] as const) {
        const path = `/api/notes/proposals/${proposal.id}/${verb}`;
        const refused = await at.world.as(caller).post(path).send(body).expect(403);
        expect(refused.body).toMatchObject({ code: 'own_proposal' });
      }
      const decisions = [{ id: proposal.id, decision: 'accept' }];
      const { body } = await at.world
        .as(caller)
        .post('/api/notes/proposals/decide')
        .send({ decisions })
        .expect(200);
      expect(body.results).toMatchObject([{ status: 'failed', error: { code: 'own_proposal' } }]);
    }
    expect(await at.read(proposal.id)).toMatchObject({ state: 'open' });
  });
});

describe('while nobody says who decides', () => {
  it('an agent reads its own proposals, and those of others are 503', async () => {
    deciders = 'agents';
    const { id } = await open();
    const decider = at.world.as(at.writer);
    const path = `/api/notes/proposals/${id}`;
    lookupsLeft = 0;
    expect((await decider.get('/api/notes/proposals').expect(200)).body.items).toEqual([]);
    await decider.get(path).expect(503);
    await decider.post(`${path}/accept`).send({}).expect(503);
    await at.world
      .as({ ...at.proposer, grants: [{ ...anywhere, mode: 'propose' }] })
      .get(path)
      .expect(200);
    const direct = { ...at.proposer, grants: [anywhere] };
    await at.world.as(direct).get(path).expect(200);
    lookupsLeft = 1;
    await decider.post(`${path}/accept`).send({}).expect(503);
    lookupsLeft = 1;
    await decider.post(`${path}/reject`).send({ reason: 'no' }).expect(503);
    expect(await at.read(id)).toMatchObject({ state: 'open' });
  });
});

describe('an agent', () => {
  it('sees its own proposals, and none that left its folders', async () => {
    deciders = 'operators';
    const id = await at.note('p');
    const proposal = await at.propose(id, append('x'));
    const call = at.world.as(at.proposer);
    await call.get(`/api/notes/proposals/${proposal.id}`).expect(200);
    const other = { ...anAgent(at.company), grants: proposing };
    await at.world.as(other).get(`/api/notes/proposals/${proposal.id}`).expect(404);
    await at.world.as(at.writer).put(`/api/notes/${id}`).send({ folder: 'x' }).expect(200);
    await call.get(`/api/notes/proposals/${proposal.id}`).expect(404);
    const { body } = await call.get(`/api/notes/proposals?noteId=${id}`).expect(200);
    expect(body.items).toEqual([]);
    expect((await at.read(proposal.id)).note).toMatchObject({ folder: 'x' });
  });
});

describe('many decisions', () => {
  it('are made one by one, and one that fails leaves the others', async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const decisions = [
      { id: one.id, decision: 'accept' },
      { id: newId(), decision: 'accept' },
      { id: two.id, decision: 'reject', reason: 'no' },
      { id: one.id, decision: 'reject', reason: 'late' },
      { id: three.id, decision: 'accept', content: 'edited' },
    ];
    const { body } = await at.world
      .as(at.operator)
      .post('/api/notes/proposals/decide')
      .send({ decisions })
      .expect(200);
    expect(body.results).toMatchObject([
      { id: one.id, status: 'accepted', revision: 2 },
      { status: 'failed', error: { code: 'not_found' } },
      { id: two.id, status: 'rejected', revision: null },
      { status: 'failed', error: { code: 'proposal_decided' } },
      { id: three.id, status: 'accepted' },
    ]);
    expect(await at.stored(three.noteId)).toMatchObject({ content: 'edited' });
  });
});

describe('synchronisation', () => {
  it('proposes for clients that know it, and rejects for others', async () => {
    const id = await at.note('p');
    const changes = () => [
      putOf({ title: 'N', folder: 'p', content: 'mine\n' }, { id, baseRevision: 1 }),
      putOf({ folder: 'p', content: 'new\n' }),
      putOf({ folder: 'own', content: 'at once\n' }),
    ];
    const { sync } = syncClient(at.world, at.proposer);
    const unknowing = await sync({ changes: changes() });
    expect(unknowing.results.map(({ status, error }) => error?.code ?? status)).toEqual([
      'proposals_only',
      'proposals_only',
      'applied',
    ]);
    expect((await at.list(`?noteId=${id}`)).items).toEqual([]);
    const sent = changes();
    const knowing = await sync({ changes: sent, proposals: true });
    expect(knowing.results.map(({ status }) => status)).toEqual([
      'proposed',
      'proposed',
      'applied',
    ]);
    expect(knowing.counts).toMatchObject({ proposed: 2, applied: 1 });
    const [first] = knowing.results;
    expect(await at.read(String(first?.proposalId))).toMatchObject({
      noteId: id,
      baseRevision: 1,
      content: 'mine\n',
    });
    const again = await sync({ changes: sent.slice(0, 1), proposals: true });
    expect(again.results).toMatchObject([
      { status: 'proposed', replayed: true, proposalId: first?.proposalId },
    ]);
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'set', tags: { add: ['t'] } }] })
      .expect(200);
    await at.accept(String(first?.proposalId)).expect(200);
    expect(await at.stored(id)).toMatchObject({ content: 'mine\n', tags: ['t'], revision: 3 });
  });
});
