import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aNoteId, anAgent } from '../notes-world.ts';
import { createProposalsWorld, proposing, type ProposalsWorld } from './proposals-world.ts';

let at: ProposalsWorld;
beforeAll(async () => {
  at = await createProposalsWorld();
});
afterAll(() => at.world.close());

const append = (text: string) => ({ op: 'append', text });
const asProposer = () => at.world.as(at.proposer);

describe('a write where changes are proposals', () => {
  it('changes nothing and says what was proposed', async () => {
    const id = await at.note('p');
    const before = await at.stored(id);
    const { body, headers } = await asProposer()
      .put(`/api/notes/${id}`)
      .send({ title: 'M', folder: 'p', content: 'new\n', reason: 'better' })
      .expect(202);
    const { proposal } = body as { proposal: { id: string } };
    expect(headers['location']).toBe(`/api/notes/proposals/${proposal.id}`);
    expect(proposal).toMatchObject({
      state: 'open',
      noteId: id,
      proposalOf: id,
      baseRevision: 1,
      title: 'M',
      folder: 'p',
      reason: 'better',
      author: {
        kind: 'agent',
        id: at.proposer.agentId,
        keyId: at.proposer.keyId,
        name: `Name of ${at.proposer.agentId}`,
      },
      note: { title: 'N', folder: 'p', revision: 1, deleted: false },
      decidedBy: null,
      revision: null,
    });
    expect(await at.stored(id)).toEqual(before);
    expect(await at.read(proposal.id)).toMatchObject({
      content: 'new\n',
      current: { content: 'one\ntwo\nthree\n', revision: 1 },
      diff: [
        { field: 'title', diff: expect.stringContaining('+M') },
        { field: 'content', diff: expect.stringContaining('+new') },
      ],
    });
  });

  it('of a new note makes none', async () => {
    const { body } = await asProposer()
      .post('/api/notes')
      .send({ title: 'fresh', folder: 'p', content: 'x' })
      .expect(202);
    const { proposal } = body as { proposal: { id: string; noteId: string } };
    expect(proposal).toMatchObject({ proposalOf: null, baseRevision: null, note: null });
    await asProposer().get(`/api/notes/${proposal.noteId}`).expect(404);
    await at.accept(proposal.id).expect(200);
    expect(await at.stored(proposal.noteId)).toMatchObject({ content: 'x', revision: 1 });
    const id = aNoteId();
    await asProposer().put(`/api/notes/${id}`).send({ folder: 'log', content: 'y' }).expect(202);
    await at.world.as(at.writer).get(`/api/notes/${id}`).expect(404);
  });

  it('is in no list, search, context, folder, pull or activity', async () => {
    const word = `zq${aNoteId().replaceAll('-', '')}`;
    const body = { title: word, folder: `p/${word}`, content: word, tags: [word.slice(0, 30)] };
    await asProposer().post('/api/notes').send(body).expect(202);
    const call = at.world.as(at.writer);
    const texts = await Promise.all([
      call.get('/api/notes?limit=200'),
      call.get(`/api/notes?q=${word}`),
      call.get('/api/notes/folders?limit=200'),
      call.get('/api/notes/tags?limit=200'),
      call.get('/api/notes/activity?limit=200'),
      call.get(`/api/notes/by-title?title=${word}`),
      call.post('/api/context').send({ query: word }),
      call.post('/api/sync').send({}),
    ]);
    for (const { status, text } of texts) {
      expect([status, text.includes(word)]).toEqual([200, false]);
    }
  });

  it.each([
    ['DELETE', (id: string) => asProposer().delete(`/api/notes/${id}`)],
    [
      'restore',
      (id: string) => asProposer().post(`/api/notes/${id}/restore`).send({ revision: 1 }),
    ],
    [
      'resolve',
      (id: string) =>
        asProposer().post(`/api/notes/${id}/conflicts/${id}/resolve`).send({ keep: 'this' }),
    ],
    [
      'links of others',
      (id: string) =>
        asProposer()
          .patch(`/api/notes/${id}`)
          .send({ edits: [{ op: 'set', title: 'Other', updateLinks: true }] }),
    ],
  ])('is refused by name where a proposal cannot say it: %s', async (_name, send) => {
    const id = await at.note('p');
    expect(await send(id)).toMatchObject({ status: 403, body: { code: 'proposal_not_possible' } });
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
  });

  it('of a deleted note is refused by name', async () => {
    const id = await at.note('p');
    await at.world.as(at.writer).delete(`/api/notes/${id}`).expect(204);
    const { body } = await asProposer().put(`/api/notes/${id}`).send({ folder: 'p' }).expect(403);
    expect(body).toMatchObject({ code: 'proposal_not_possible' });
  });

  it('outside of the folders is 403 as ever, and at once where the grant is direct', async () => {
    for (const folder of ['r', 'x', '']) {
      const id = await at.note(folder);
      const { body } = await asProposer()
        .patch(`/api/notes/${id}`)
        .send({ edits: [append('x')] })
        .expect(403);
      expect(body).toMatchObject({ code: 'folder_not_granted' });
    }
    const own = await at.note('own');
    await asProposer()
      .patch(`/api/notes/${own}`)
      .send({ edits: [append('x')] })
      .expect(200);
    await asProposer().delete(`/api/notes/${own}`).expect(204);
  });

  it('is a proposal if one of the folders of a move says so, and refused if one has no right', async () => {
    for (const [from, to] of [
      ['own', 'p'],
      ['p', 'own'],
    ] as const) {
      const id = await at.note(from);
      const proposal = await at.propose(id, { op: 'set', folder: to });
      expect(await at.stored(id)).toMatchObject({ folder: from, revision: 1 });
      await at.accept(proposal.id).expect(200);
      expect(await at.stored(id)).toMatchObject({ folder: to, revision: 2 });
    }
    const id = await at.note('p');
    for (const folder of ['r', 'x', 'log']) {
      const edits = [{ op: 'set', folder }];
      await asProposer().patch(`/api/notes/${id}`).send({ edits }).expect(403);
    }
  });

  it('adds only, where the grant says so', async () => {
    const id = await at.note('log');
    const edits = [{ op: 'replace', find: 'one', with: 'x' }];
    const { body } = await asProposer().patch(`/api/notes/${id}`).send({ edits }).expect(403);
    expect(body).toMatchObject({ code: 'folder_not_granted' });
    const { id: proposalId } = await at.propose(id, append('four\n'));
    await at.accept(proposalId).expect(200);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\nfour\n' });
  });

  it('with conditions and errors is as a write', async () => {
    const id = await at.note('p');
    await asProposer()
      .put(`/api/notes/${id}`)
      .set('If-Match', '"9"')
      .send({ folder: 'p' })
      .expect(412);
    const edits = [{ op: 'replace', find: 'nothing', with: '' }];
    await asProposer().patch(`/api/notes/${id}`).send({ edits }).expect(409);
    const same = { title: 'N', folder: 'p', content: 'one\ntwo\nthree\n' };
    await asProposer().put(`/api/notes/${id}`).send(same).expect(200);
    await asProposer()
      .post('/api/notes')
      .send({ title: 'n', folder: 'p', ifTitleExists: 'fail' })
      .expect(409);
  });

  it('is one proposal, however often it is repeated', async () => {
    const id = await at.note('p');
    const patch = () =>
      asProposer()
        .patch(`/api/notes/${id}`)
        .send({ edits: [append('x')], mutationId: 'once' });
    const first = await patch().expect(202);
    const again = await patch().expect(202);
    expect(again.body.proposal.id).toBe(first.body.proposal.id);
    await at.accept(String(first.body.proposal.id)).expect(200);
    expect((await patch().expect(202)).body.proposal).toMatchObject({ state: 'accepted' });
    const create = () =>
      asProposer()
        .post('/api/notes')
        .set('Idempotency-Key', 'new once')
        .send({ title: 'k', folder: 'p' });
    const [one, two] = [await create().expect(202), await create().expect(202)];
    expect(two.body.proposal.id).toBe(one.body.proposal.id);
    const put = { title: 'N', folder: 'p', content: 'same' };
    const puts = [
      await asProposer().put(`/api/notes/${id}`).send(put).expect(202),
      await asProposer().put(`/api/notes/${id}`).send(put).expect(202),
    ];
    expect(puts[1]?.body.proposal.id).toBe(puts[0]?.body.proposal.id);
  });
});

describe('proposals of one agent for one note', () => {
  it('follow one another: edits go on with what was proposed', async () => {
    const id = await at.note('p');
    const first = await at.propose(id, append('four\n'));
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'prepend', text: 'zero\n' }] })
      .expect(200);
    const second = await at.propose(id, append('five\n'), {
      op: 'replace',
      find: 'four',
      with: '4',
    });
    expect(second.baseRevision).toBe(1);
    expect(await at.read(first.id)).toMatchObject({
      state: 'superseded',
      content: null,
      supersededBy: second.id,
    });
    await at.accept(second.id).expect(200);
    expect(await at.stored(id)).toMatchObject({
      content: 'zero\none\ntwo\nthree\n4\nfive\n',
      revision: 3,
    });
    expect((await at.accept(first.id).expect(409)).body).toMatchObject({
      code: 'proposal_decided',
      state: 'superseded',
    });
  });

  it('stand beside those of others', async () => {
    const id = await at.note('p');
    const other = { ...anAgent(at.company), grants: proposing };
    const mine = await at.propose(id, { op: 'replace', find: 'one', with: '1' });
    const { body } = await at.world
      .as(other)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'replace', find: 'three', with: '3' }] })
      .expect(202);
    await at.accept(mine.id).expect(200);
    await at.accept(String(body.proposal.id)).expect(200);
    expect(await at.stored(id)).toMatchObject({ content: '1\ntwo\n3\n', revision: 3 });
  });

  it('also where the text is edited in the thread', async () => {
    const id = await at.note('p', `# A\n\n${'word '.repeat(8_000)}\n\n# B\n`);
    const insert = (text: string) => ({ op: 'append_to_section', heading: 'B', text });
    await at.propose(id, insert('first'));
    const { id: proposalId } = await at.propose(id, insert('second'));
    await at.accept(proposalId).expect(200);
    expect((await at.stored(id)).content).toMatch(/# B\nfirst\n\nsecond\n$/);
  });
});

describe('accepting', () => {
  it('keeps what others wrote, and names both', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('four\n'));
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'replace', find: 'one', with: 'ONE' }] })
      .expect(200);
    const { body } = await at.accept(proposalId).expect(200);
    expect(body.proposal).toMatchObject({
      state: 'accepted',
      revision: 3,
      decidedBy: { kind: 'operator', id: at.operator.operatorId },
    });
    expect(await at.stored(id)).toMatchObject({
      content: 'ONE\ntwo\nthree\nfour\n',
      updatedBy: { kind: 'agent', id: at.proposer.agentId },
    });
    const { body: revision } = await at.world
      .as(at.writer)
      .get(`/api/notes/${id}/revisions/3`)
      .expect(200);
    expect(revision).toMatchObject({
      createdBy: { id: at.proposer.agentId, keyId: at.proposer.keyId },
      proposal: { proposalId, acceptedBy: { kind: 'operator', id: at.operator.operatorId } },
    });
    const { body: blame } = await at.world.as(at.writer).get(`/api/notes/${id}/blame`);
    expect(blame.ranges.map((range: { proposal?: object }) => range.proposal)).toEqual([
      undefined,
      undefined,
      {
        proposalId,
        acceptedBy: expect.objectContaining({ name: `Name of ${at.operator.operatorId}` }),
      },
    ]);
    const { body: history } = await at.world.as(at.writer).get(`/api/notes/${id}/revisions`);
    expect(history.items.map((item: { proposal?: object }) => item.proposal !== undefined)).toEqual(
      [true, false, false],
    );
  });

  it('is 409 with both texts where others changed the same, and then takes a text made from theirs', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, { op: 'replace', find: 'two', with: 'mine' });
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${id}`)
      .send({ edits: [{ op: 'replace', find: 'two', with: 'theirs' }] })
      .expect(200);
    const { body } = await at.accept(proposalId).expect(409);
    expect(body).toMatchObject({
      code: 'proposal_conflict',
      current: { content: 'one\ntheirs\nthree\n', revision: 2 },
      proposed: { content: 'one\nmine\nthree\n' },
    });
    expect(await at.stored(id)).toMatchObject({ revision: 2 });
    await at.accept(proposalId, { revision: 2 }).expect(400);
    const content = 'one\ntheirs and mine\nthree\n';
    await at.accept(proposalId, { content }).expect(409);
    await at.accept(proposalId, { content, revision: 2 }).expect(200);
    expect(await at.stored(id)).toMatchObject({ content, revision: 3 });
  });

  it('takes an edited text', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('four\n'));
    await at.accept(proposalId, { content: 'one\ntwo\nthree\n4\n' }).expect(200);
    expect(await at.stored(id)).toMatchObject({ content: 'one\ntwo\nthree\n4\n' });
  });

  it('is 409 for a note that was deleted, and leaves it so', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('x'));
    await at.world.as(at.writer).delete(`/api/notes/${id}`).expect(204);
    expect((await at.accept(proposalId).expect(409)).body).toMatchObject({
      code: 'proposal_conflict',
      current: null,
    });
    await at.world.as(at.writer).get(`/api/notes/${id}`).expect(404);
  });

  it('of what the note is already writes no version', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('x'));
    await at.world
      .as(at.writer)
      .patch(`/api/notes/${id}`)
      .send({ edits: [append('x')] })
      .expect(200);
    const { body } = await at.accept(proposalId).expect(200);
    expect(body.proposal).toMatchObject({ state: 'accepted', revision: null });
    expect(await at.stored(id)).toMatchObject({ revision: 2 });
  });

  it('decides once, however many do it at the same time', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('x'));
    const statuses = await Promise.all(
      Array.from(
        { length: 6 },
        async (_, index) =>
          (await (index % 3 === 2 ? at.reject(proposalId) : at.accept(proposalId))).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  });

  it('is a change by the key of the agent, which is its author', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('x'));
    await at.accept(proposalId).expect(200);
    const { body } = await at.world
      .as(at.writer)
      .get(`/api/notes/activity?keyId=${at.proposer.keyId}&limit=1`)
      .expect(200);
    expect(body.items).toMatchObject([
      {
        noteId: id,
        author: { id: at.proposer.agentId },
        proposal: { proposalId, acceptedBy: { name: `Name of ${at.operator.operatorId}` } },
      },
    ]);
  });
});

describe('rejecting', () => {
  it('leaves the note, and the agent reads why', async () => {
    const id = await at.note('p');
    const { id: proposalId } = await at.propose(id, append('x'));
    const { body } = await at.reject(proposalId, 'not true').expect(200);
    expect(body.proposal).toMatchObject({ state: 'rejected', decisionReason: 'not true' });
    expect(await at.stored(id)).toMatchObject({ revision: 1 });
    expect((await at.accept(proposalId).expect(409)).body).toMatchObject({
      code: 'proposal_decided',
      state: 'rejected',
    });
    const context = await asProposer().post('/api/context').send({}).expect(200);
    expect(context.body.proposals.ended[0]).toMatchObject({
      id: proposalId,
      state: 'rejected',
      reason: 'not true',
      decidedBy: { name: `Name of ${at.operator.operatorId}` },
    });
    const markdown = await asProposer()
      .post('/api/context')
      .set('Accept', 'text/markdown')
      .send({})
      .expect(200);
    expect(markdown.text).toContain('not true');
    const activity = await asProposer().get('/api/notes/activity?excludeSelf=true').expect(200);
    expect(activity.body.proposals[0]).toMatchObject({ id: proposalId, state: 'rejected' });
  });

  it('needs a reason', async () => {
    const { id } = await at.propose(await at.note('p'), append('x'));
    await at.world.as(at.operator).post(`/api/notes/proposals/${id}/reject`).send({}).expect(400);
  });
});

describe('the list', () => {
  it('filters by state, agent, run and note, and counts the open ones', async () => {
    const id = await at.note('p');
    const proposal = await at.propose(id, append('x'));
    const { items, open } = await at.list(`?state=open&noteId=${id}`);
    expect(items.map((each) => each.id)).toEqual([proposal.id]);
    expect(open).toBe((await at.list('?state=open&limit=200')).items.length);
    expect((await at.list(`?agentId=${at.writer.agentId}`)).items).toEqual([]);
    expect((await at.list(`?noteId=${id}&state=rejected`)).items).toEqual([]);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<ProposalsWorld['list']>> = await at.list(
        `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map((each) => each.id));
      cursor = page.nextCursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(proposal.id);
  });
});
