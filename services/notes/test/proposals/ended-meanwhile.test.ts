import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, runId, type Proposal } from '@commonplace/contracts';
import type { AgentCaller } from '@commonplace/identity';
import { whileItWaits } from '@commonplace/testkit';
import { lockFeed, releaseRows } from '../lock-rows.ts';
import { anAgent } from '../notes-world.ts';
import { untilWaiting } from '../until-waiting.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld({ findProposalDeciders: () => Promise.resolve('agents') });
});
afterAll(() => at.world.close());

type Response = Awaited<ReturnType<ProposalsWorld['accept']>>;
type Send = () => PromiseLike<Response>;

const nothing = () => Promise.resolve();

const putOf =
  (id: string, content: string, folder = 'r'): Send =>
  () =>
    at.world.as(at.writer).put(`/api/notes/${id}`).send({ title: 'N', folder, content });

/** Sends requests, each once those before it wait, and does something else while all of them do. */
const whileWaiting = async (
  sends: readonly Send[],
  meanwhile: () => Promise<unknown>,
): Promise<Response[]> => {
  const sent: Promise<Response>[] = [];
  const lock = await lockFeed(at.world, at.company);
  try {
    for (const send of sends) {
      sent.push(Promise.resolve(send()));
      await untilWaiting(at.world, sent.length);
    }
    await meanwhile();
  } finally {
    await releaseRows(lock);
  }
  return Promise.all(sent);
};

/** Accepts a proposal in a batch of its own, and does something else once that waits for its write. */
const acceptWhile = async (id: string, meanwhile: () => Promise<unknown>): Promise<Response> => {
  const [accepted] = await whileWaiting([() => at.accept(id)], meanwhile);
  return accepted as Response;
};

/** Sends requests that are written in one batch, behind a write that holds it up, and does something else meanwhile. */
const inOneBatch = async (
  sends: readonly Send[],
  meanwhile: () => Promise<unknown>,
): Promise<Response[]> => {
  const first = putOf(await at.note('r'), 'before them');
  const counters = () => ({ ...at.world.deps[0]?.writeCounters });
  const { batches = 0, batched = 0 } = counters();
  const [, ...responses] = await whileWaiting([first, ...sends], meanwhile);
  expect(counters()).toMatchObject({ batches: batches + 2, batched: batched + 1 + sends.length });
  return responses;
};

/** A note with a proposal that replaces a line that others have changed since. */
const overlapping = async () => {
  const id = await at.note('p');
  const { id: proposal } = await at.propose(id, { op: 'replace', find: 'two', with: 'rejected' });
  expect((await putOf(id, 'one\n2\nthree\n', 'p')()).status).toBe(200);
  return { id, proposal };
};

/** Edits a note; without a caller, with another credential of the agent that has proposed something. */
const editOf = (
  id: string,
  caller: AgentCaller = { ...at.proposer, runId: runId.parse(newId()), keyId: null },
): Send => {
  const edits = [{ op: 'append', text: 'mine\n' }];
  return () => at.world.as(caller).patch(`/api/notes/${id}`).send({ edits });
};

const rejecting = (id: string) => async () => at.reject(id).expect(200);

const decided = { status: 409, body: { code: 'proposal_decided', state: 'rejected' } };

describe('a proposal that ends while it is being accepted', () => {
  it('by being rejected: it is decided already, and the note stays as it is', async () => {
    const id = await at.note('p');
    const proposal = await at.propose(id, { op: 'append', text: 'x' });

    const { status, body } = await acceptWhile(proposal.id, rejecting(proposal.id));

    expect({ status, body }).toMatchObject(decided);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\n', revision: 1 });
    expect(await at.read(proposal.id)).toMatchObject({ state: 'rejected', revision: null });
  });

  it('by being rejected, where it does not fit any more: it is decided already', async () => {
    const [open, rejected] = [await overlapping(), await overlapping()];

    const conflict = await acceptWhile(open.proposal, nothing);
    const response = await acceptWhile(rejected.proposal, rejecting(rejected.proposal));

    expect(conflict.body).toMatchObject({ code: 'proposal_conflict', proposed: {} });
    expect(response).toMatchObject(decided);
    expect(response.body).not.toHaveProperty('proposed');
  });

  it('by being rejected, where the note has left the folders of the decider: it is decided already', async () => {
    const decider = {
      ...anAgent(at.company),
      grants: [{ folder: 'p', scope: 'any', mode: 'direct' }],
    } as const;
    const acceptMoved = async (isRejected: boolean) => {
      const id = await at.note('p');
      const { id: proposal } = await at.propose(id, { op: 'append', text: 'x' });
      const accept = () =>
        at.world.as(decider).post(`/api/notes/proposals/${proposal}/accept`).send({});
      const moves = putOf(id, 'one\ntwo\nthree\n', 'r');
      const meanwhile = isRejected ? rejecting(proposal) : nothing;
      const [moved, accepted] = await whileWaiting([moves, accept], meanwhile);
      expect(moved?.status).toBe(200);
      return accepted;
    };

    expect(await acceptMoved(false)).toMatchObject({ body: { code: 'folder_not_granted' } });
    expect(await acceptMoved(true)).toMatchObject(decided);
  });

  it('beside other writes: those are written', async () => {
    const [id, other] = [await at.note('p'), await at.note('r')];
    const proposal = await at.propose(id, { op: 'append', text: 'x' });
    const kept = await at.propose(id, { op: 'append', text: 'y' });

    const [accepted, written] = await inOneBatch(
      [() => at.accept(kept.id), putOf(other, 'with it')],
      rejecting(kept.id),
    );

    expect(accepted).toMatchObject(decided);
    expect(written?.status).toBe(200);
    expect(await at.stored(other)).toMatchObject({ content: 'with it' });
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
    expect(await at.read(proposal.id)).toMatchObject({ state: 'superseded' });
  });

  it.each(['before', 'after'])(
    'beside an edit of its agent that is sent %s: that does not go on with it',
    async (place) => {
      const { id, proposal } = await overlapping();
      const sends = [editOf(id), () => at.accept(proposal)];
      const isFirst = place === 'before';

      const responses = await inOneBatch(isFirst ? sends : sends.toReversed(), rejecting(proposal));

      const [edited, accepted] = isFirst ? responses : responses.toReversed();
      expect(accepted).toMatchObject(decided);
      expect(edited?.status).toBe(202);
      const made = String(edited?.body.proposal.id);
      expect(await at.read(made)).toMatchObject({
        state: 'open',
        content: 'one\n2\nthree\nmine\n',
      });
      expect(await at.read(proposal)).toMatchObject({ state: 'rejected', supersededBy: null });
    },
  );

  it('of a new note, beside an edit of its agent that writes at once now: there is no such note', async () => {
    const { grants: _none, ...direct } = at.proposer;
    const { body } = await at.world
      .as(at.proposer)
      .post('/api/notes')
      .send({ title: 'New', folder: 'p', content: 'rejected\n' })
      .expect(202);
    const { id, noteId } = (body as { readonly proposal: Proposal }).proposal;

    const [edited, accepted] = await inOneBatch(
      [editOf(noteId, direct), () => at.accept(id)],
      rejecting(id),
    );

    expect(edited?.status).toBe(404);
    expect(accepted).toMatchObject(decided);
    expect(await at.read(id)).toMatchObject({ state: 'rejected' });
    expect((await at.list(`?state=open&noteId=${noteId}`)).items).toEqual([]);
  });

  it('by another decision to accept it: it is accepted once', async () => {
    const id = await at.note('p');
    const { id: proposal } = await at.propose(id, { op: 'append', text: 'x\n' });
    const accept = () => at.accept(proposal);

    const responses = await whileWaiting([accept, accept], nothing);

    expect(responses.map(({ status }) => status)).toEqual([200, 409]);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\nx\n', revision: 2 });
  });
});

describe('a proposal that is rejected while an edit of its agent is written', () => {
  it('is not what the edit goes on with', async () => {
    const id = await at.note('p');
    const { id: proposal } = await at.propose(id, { op: 'append', text: 'rejected\n' });
    const lock = `update notes.proposals set state = 'rejected', decided_at = now(),
      decided_by = '{"kind": "operator", "id": "${newId()}"}', decision_reason = 'no'
      where company_id = '${at.company}' and id = '${proposal}'`;

    const { status, body } = await whileItWaits(
      { adminUrl: at.world.database.adminUrl, lock, end: 'commit' },
      editOf(id),
    );

    expect(status).toBe(202);
    expect(await at.read(String(body.proposal.id))).toMatchObject({
      state: 'open',
      content: 'one\ntwo\nthree\nmine\n',
    });
    expect(await at.read(proposal)).toMatchObject({ state: 'rejected', supersededBy: null });
  });
});
