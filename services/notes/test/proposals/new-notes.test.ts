import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal } from '@commonplace/contracts';
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
    // No note has this id yet.
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await at.read(proposal.id)).toMatchObject({ state: 'open', folder: 'p' });
  });
});
