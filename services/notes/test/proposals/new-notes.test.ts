import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal } from '@commonplace/contracts';
import { lockFeed, releaseRows } from '../lock-rows.ts';
import { aNoteId } from '../notes-world.ts';
import { untilWaiting } from '../until-waiting.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

type Proposed = { readonly proposal: Proposal; readonly existing?: boolean };

const create = async (title: string, more: object = {}): Promise<Proposed> => {
  const body = { title, folder: 'p', content: 'first\n', ifTitleExists: 'return', ...more };
  return (await at.world.as(at.proposer).post('/api/notes').send(body).expect(202)).body;
};

const append = (noteId: string, text: string) =>
  at.world
    .as(at.proposer)
    .patch(`/api/notes/${noteId}`)
    .send({ edits: [{ op: 'append', text }] });

describe('a new note that its proposer proposes again', () => {
  it('is one proposal for one title of a folder, letter case aside, if it wants no second note', async () => {
    const first = await create('Twice');
    const second = await create('TWICE', { content: 'other\n' });
    expect(first.existing).toBeUndefined();
    expect(second).toMatchObject({ existing: true, proposal: { id: first.proposal.id } });
    expect(await at.read(first.proposal.id)).toMatchObject({ content: 'first\n', state: 'open' });
    const elsewhere = await create('Twice', { folder: 'p/below' });
    expect(elsewhere.existing).toBeUndefined();
    const wanted = await create('Twice', { ifTitleExists: 'create' });
    expect(wanted.proposal.id).not.toBe(first.proposal.id);
  });

  it('has a title that is compared as those of notes are', async () => {
    const first = await create('Straße');
    const second = await create('STRASSE');
    expect(second).toMatchObject({ existing: true, proposal: { id: first.proposal.id } });
    const { body } = await at.world
      .as(at.proposer)
      .get('/api/notes/proposals?state=open&title=strasse')
      .expect(200);
    expect(body.items).toMatchObject([{ id: first.proposal.id }]);
  });

  it('goes on with edits also when its proposer has come to write at once', async () => {
    const first = await create('Begun');
    const { grants: _none, ...unlimited } = at.proposer;
    for (const [index, caller] of [
      unlimited,
      { ...at.proposer, grants: [{ folder: 'p', scope: 'any', mode: 'direct' }] as const },
    ].entries()) {
      const { body } = await at.world
        .as(caller)
        .patch(`/api/notes/${first.proposal.noteId}`)
        .send({ edits: [{ op: 'append', text: `line ${index}\n` }] })
        .expect(202);
      expect(body.proposal).toMatchObject({ noteId: first.proposal.noteId, proposalOf: null });
    }
    const [open] = (await at.list(`?state=open&noteId=${first.proposal.noteId}`)).items;
    const { content } = await at.read(String(open?.id));
    expect(content).toBe('first\nline 0\nline 1\n');
    await at.accept(String(open?.id)).expect(200);
    const edit = { edits: [{ op: 'append', text: 'now\n' }] };
    const call = at.world.as(unlimited);
    await call.patch(`/api/notes/${first.proposal.noteId}`).send(edit).expect(200);
    const other = at.world.as(at.writer);
    const second = await create('Of one agent');
    await other.patch(`/api/notes/${second.proposal.noteId}`).send(edit).expect(404);
  });

  it('goes on with an edit also when the same batch of writes accepts what was proposed before', async () => {
    const first = await create('Accepted meanwhile');
    const { grants: _none, ...unlimited } = at.proposer;
    const lock = await lockFeed(at.world, at.company);
    const before = at.note('p');
    await untilWaiting(at.world, 1);
    const edits = [{ op: 'append', text: 'late\n' }];
    const edit = at.world
      .as(unlimited)
      .patch(`/api/notes/${first.proposal.noteId}`)
      .send({ edits });
    const edited = Promise.resolve(edit);
    await untilWaiting(at.world, 2);
    const accepted = Promise.resolve(at.accept(first.proposal.id));
    await untilWaiting(at.world, 3);
    await releaseRows(lock);
    await before;
    expect((await edited).status).toBe(202);
    expect((await accepted).body).toMatchObject({ code: 'proposal_decided' });
  });

  it('is not edited by its proposer while that is paused, nor by what does not fit: 409, and not 404', async () => {
    const first = await create('Paused');
    const paused = at.world.as({ ...at.proposer, agentStatus: 'paused' });
    const edits = [{ op: 'append', text: 'x' }];
    const refused = await paused.patch(`/api/notes/${first.proposal.noteId}`).send({ edits });
    expect([refused.status, refused.body.code]).toEqual([409, 'agent_paused']);
    const missing = [{ op: 'replace', find: 'nowhere', with: 'x' }];
    const misfit = await at.world
      .as(at.proposer)
      .patch(`/api/notes/${first.proposal.noteId}`)
      .send({ edits: missing });
    expect([misfit.status, misfit.body.code]).toEqual([409, 'edit_not_applicable']);
    const unknown = await paused.patch(`/api/notes/${aNoteId()}`).send({ edits });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
  });

  it('is the one that exists also where the request is repeated', async () => {
    const { proposal } = await create('Repeated');
    const send = async (): Promise<Proposed> => {
      const { body } = await at.world
        .as(at.proposer)
        .post('/api/notes')
        .set('Idempotency-Key', 'again')
        .send({ title: 'repeated', folder: 'p', ifTitleExists: 'return' })
        .expect(202);
      return body;
    };
    const expected = { existing: true, proposal: { id: proposal.id } };
    expect(await send()).toMatchObject(expected);
    expect(await send()).toMatchObject(expected);
  });

  it('is another one after the first was decided', async () => {
    const first = await create('Rejected');
    await at.reject(first.proposal.id).expect(200);
    const second = await create('Rejected');
    expect(second.existing).toBeUndefined();
  });

  it('is that of its proposer: another agent has its own', async () => {
    const first = await create('Of two');
    const { body } = await at.world
      .as({ ...at.proposer, agentId: at.writer.agentId })
      .post('/api/notes')
      .send({ title: 'Of two', folder: 'p', ifTitleExists: 'return' })
      .expect(202);
    expect(body.existing).toBeUndefined();
    expect(body.proposal.id).not.toBe(first.proposal.id);
  });
});

describe('an edit of a new note that is only proposed', () => {
  it('goes on with the proposal, and accepting it makes the note of both', async () => {
    const { proposal } = await create('Edited');
    const { body } = await append(proposal.noteId, 'second\n').expect(202);
    const later = (body as Proposed).proposal;
    expect(later).toMatchObject({ proposalOf: null, noteId: proposal.noteId, state: 'open' });
    expect(await at.read(proposal.id)).toMatchObject({
      state: 'superseded',
      supersededBy: later.id,
    });
    await at.accept(later.id).expect(200);
    expect(await at.stored(proposal.noteId)).toMatchObject({
      content: 'first\nsecond\n',
      revision: 1,
    });
  });

  it('is 404 once the proposal was decided, and for everybody else', async () => {
    const { proposal } = await create('Decided');
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${proposal.noteId}`)
      .send({ edits: [{ op: 'append', text: 'x' }] })
      .expect(404);
    await at.reject(proposal.id).expect(200);
    const { status } = await append(proposal.noteId, 'second\n');
    expect(status).toBe(404);
  });

  it('takes a costly edit as a note does', async () => {
    const { proposal } = await create('Costly', { content: `# A\n\n${'word '.repeat(60_000)}\n` });
    const edits = [{ op: 'append_to_section', heading: 'A', text: 'added' }];
    const { body } = await at.world
      .as(at.proposer)
      .patch(`/api/notes/${proposal.noteId}`)
      .send({ edits })
      .expect(202);
    expect((await at.read((body as Proposed).proposal.id)).content).toMatch(/added\n$/);
  });

  it('does not carry it to a folder that is not granted', async () => {
    const { proposal } = await create('Moved');
    const { status, body } = await at.world
      .as(at.proposer)
      .patch(`/api/notes/${proposal.noteId}`)
      .send({ edits: [{ op: 'set', folder: 'elsewhere' }] });
    expect([status, body.code]).toEqual([403, 'folder_not_granted']);
    expect(await at.read(proposal.id)).toMatchObject({ state: 'open', folder: 'p' });
  });
});
