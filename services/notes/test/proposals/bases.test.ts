import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal } from '@commonplace/contracts';
import { whileItWaits } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { createProposalsWorld, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

const fields = { title: 'N', folder: 'p', content: 'one\ntwo\nmine\n' };

/** Proposes by synchronisation, on any base. */
const proposeSync = async (id: string, baseRevision: number | null): Promise<Proposal> => {
  const change = putOf(fields, { id, baseRevision });
  const { results } = await syncClient(at.world, at.proposer).sync({
    changes: [change],
    proposals: true,
  });
  expect(results).toMatchObject([{ status: 'proposed' }]);
  return at.read(String(results[0]?.proposalId));
};

const write = (id: string, ...edits: readonly object[]) =>
  at.world.as(at.writer).patch(`/api/notes/${id}`).send({ edits }).expect(200);

const replaceTwo = (text: string) => ({ op: 'replace', find: 'two', with: text });

describe('a proposal on a version that is not there', () => {
  it.each([3, 2_000_000_000, null])(
    'of base %p, overwrites nothing when that revision comes',
    async (base) => {
      const id = await at.note('p');
      const proposal = await proposeSync(id, base);
      expect(proposal.baseRevision).toBeNull();
      await write(id, replaceTwo('2'));
      await write(id, { op: 'append', text: 'by others\n' });
      const { body } = await at.accept(proposal.id).expect(409);
      expect(body).toMatchObject({ code: 'proposal_conflict' });
      expect((await at.stored(id)).content).toBe('one\n2\nthree\nby others\n');
    },
  );

  it('gets no base by an edit', async () => {
    const id = await at.note('p');
    await proposeSync(id, null);
    const edited = await at.propose(id, { op: 'append', text: 'more' });
    expect(edited.baseRevision).toBeNull();
    await at.accept(edited.id).expect(409);
  });

  it('of a new note, overwrites none that came by the same id', async () => {
    const id = aNoteId();
    const proposal = await proposeSync(id, 1);
    const body = { title: 'Theirs', folder: 'p', content: 'theirs' };
    await at.world.as(at.writer).put(`/api/notes/${id}`).send(body).expect(201);
    await at.accept(proposal.id).expect(409);
    expect(await at.stored(id)).toMatchObject({ content: 'theirs', revision: 1 });
  });

  it('of a new note, starts at revision 1, whatever revision the decider names', async () => {
    const { id, noteId } = await proposeSync(aNoteId(), null);
    await at.accept(id, { content: 'x', revision: 2_147_483_647 }).expect(400);
    await at.accept(id, { content: 'x', revision: 2_000_000_000 }).expect(200);
    expect(await at.stored(noteId)).toMatchObject({ content: 'x', revision: 1 });
  });

  it('is none where the note is of another company', async () => {
    const other = anAgent(aCompany());
    const id = aNoteId();
    await at.world.as(other).put(`/api/notes/${id}`).send(fields).expect(201);
    const { results } = await syncClient(at.world, at.proposer).sync({
      changes: [putOf(fields, { id, baseRevision: null })],
      proposals: true,
    });
    expect(results).toMatchObject([{ status: 'rejected', error: { code: 'cross_company' } }]);
  });
});

describe('a proposal that is repeated', () => {
  it('on a newer version is a new one, with its reason', async () => {
    const id = await at.note('p');
    const put = (revision: number, reason: string) =>
      at.world
        .as(at.proposer)
        .put(`/api/notes/${id}`)
        .set('If-Match', `"${revision}"`)
        .send({ ...fields, reason })
        .expect(202);
    const { body: first } = await put(1, 'a');
    await write(id, replaceTwo('2'));
    const { body: second } = await put(2, 'b');
    expect(second.proposal).toMatchObject({ baseRevision: 2, reason: 'b' });
    expect(second.proposal.id).not.toBe(first.proposal.id);
    await at.accept(second.proposal.id).expect(200);
  });

  it('on the same version is the same one', async () => {
    const id = await at.note('p');
    const put = () => at.world.as(at.proposer).put(`/api/notes/${id}`).send(fields).expect(202);
    const { body: first } = await put();
    expect((await put()).body.proposal.id).toBe(first.proposal.id);
  });
});

describe('a text of the decider that was made from a later version', () => {
  it('takes back nothing that others did meanwhile, and keeps what else was proposed', async () => {
    const id = await at.note('p');
    const { body } = await at.world
      .as(at.proposer)
      .put(`/api/notes/${id}`)
      .send({ title: 'Proposed', folder: 'p', content: 'one\nmine\nthree\n', tags: ['proposed'] })
      .expect(202);
    const proposalId = (body as { readonly proposal: Proposal }).proposal.id;
    await at.world
      .as(at.writer)
      .put(`/api/notes/${id}`)
      .set('If-Match', '"1"')
      .send({
        title: 'N',
        folder: 'moved',
        content: 'one\ntheirs\nthree\n',
        tags: ['theirs'],
        pinned: true,
      })
      .expect(200);
    await at.accept(proposalId).expect(409);
    const content = 'one\ntheirs and mine\nthree\n';
    await at.accept(proposalId, { content, revision: 2 }).expect(200);
    expect(await at.stored(id)).toMatchObject({
      title: 'Proposed',
      folder: 'moved',
      tags: ['proposed', 'theirs'],
      pinned: true,
      content,
      revision: 3,
    });
  });
});

describe('properties in a text of the decider', () => {
  it('are those of the later version, but for each that the proposal changes', async () => {
    const id = await at.note('p');
    const base = { kept: 1, removed: 1, theirs: 1, mine: 1 };
    await write(id, { op: 'set', properties: base });
    const proposal = await at.propose(id, replaceTwo('mine'), {
      op: 'set',
      properties: { mine: 2, added: 2, removed: null },
    });
    await write(id, replaceTwo('theirs'), {
      op: 'set',
      properties: { theirs: 3, alsoAdded: 3, kept: null },
    });
    await at.accept(proposal.id).expect(409);
    await at.accept(proposal.id, { content: 'both\n', revision: 3 }).expect(200);
    const properties = { theirs: 3, alsoAdded: 3, mine: 2, added: 2 };
    expect(await at.stored(id)).toEqual(expect.objectContaining({ properties }));
  });
});

describe('a proposal that is accepted while another process writes the note', () => {
  /** The next version of a note, by another process. */
  const nextVersion = (id: string, content: string): string => `
    select from notes.company_feed where company_id = '${at.company}' for update;
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags, pinned,
      archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
    select company_id, note_id, 2, title, '${content}', folder, tags, pinned, archived, properties, size,
      deleted, created_at, created_by_kind, created_by_id
    from notes.note_revisions where company_id = '${at.company}' and note_id = '${id}';
    update notes.notes n set revision = 2, content = '${content}', change_no = f.head + 1
    from notes.company_feed f
    where f.company_id = n.company_id and n.company_id = '${at.company}' and n.id = '${id}';
    update notes.company_feed set head = head + 1 where company_id = '${at.company}'`;

  const acceptMeanwhile = (id: string, proposalId: string, content: string) =>
    whileItWaits(
      { adminUrl: at.world.database.adminUrl, lock: nextVersion(id, content), end: 'commit' },
      () => at.accept(proposalId),
    );

  it('is merged with that', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, { op: 'replace', find: 'three', with: '3' });
    const { status, body } = await acceptMeanwhile(id, proposalId, 'one by others\ntwo\nthree\n');
    expect([status, body.proposal]).toEqual([200, expect.objectContaining({ revision: 3 })]);
    expect(await at.stored(id)).toMatchObject({ revision: 3, content: 'one by others\ntwo\n3\n' });
  });

  it('is a conflict where both change the same', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, { op: 'replace', find: 'three', with: '3' });
    const { status, body } = await acceptMeanwhile(id, proposalId, 'one\ntwo\nIII\n');
    expect([status, body.code]).toEqual([409, 'proposal_conflict']);
    expect(await at.read(proposalId)).toMatchObject({ state: 'open' });
  });

  it('is merged also where that takes the thread', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index}`);
    const id = await at.note('p', `${lines.join('\n')}\nend\n`);
    const { id: proposalId } = await at.propose(id, { op: 'replace', find: 'end', with: 'END' });
    const others = ['first', ...lines.toSpliced(1_500, 2, 'middle', 'middle'), 'end', ''];
    const { status } = await acceptMeanwhile(id, proposalId, others.join('\n'));
    expect(status).toBe(200);
    const { content } = await at.stored(id);
    expect(content.startsWith('first\nline 0\n')).toBe(true);
    expect(content.endsWith('\nEND\n')).toBe(true);
  });
});
