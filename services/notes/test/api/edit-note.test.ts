import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grant, operatorCaller, agentCaller } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

type Caller = Parameters<NotesWorld['as']>[0];

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const aNote = async (caller: Caller, fields: object): Promise<string> => {
  const id = aNoteId();
  await world.as(caller).put(`/api/notes/${id}`).send(fields).expect(201);
  return id;
};
type Note = { readonly caller: Caller; readonly id: string; readonly instance?: number };
const patchAt = ({ caller, id, instance = 0 }: Note, edits: unknown, rest: object = {}) =>
  world
    .as(caller, instance)
    .patch(`/api/notes/${id}`)
    .send({ edits, ...rest });
const patch = (caller: Caller, id: string, edits: unknown) => patchAt({ caller, id }, edits);
const contentOf = async (caller: Caller, id: string): Promise<string> =>
  (await world.as(caller).get(`/api/notes/${id}`).expect(200)).body.content;

describe('PATCH /api/notes/{id}', () => {
  it('applies edits in order, and responds with the note and its ETag', async () => {
    const agent = anAgent();
    const id = await aNote(agent, {
      content: 'one two\n',
      tags: ['a', 'b'],
      properties: { x: 1, y: { z: 2 } },
    });
    const response = await patch(agent, id, [
      { op: 'append', text: 'end\n' },
      { op: 'prepend', text: 'start\n' },
      { op: 'replace', find: 'two', with: '2' },
      { op: 'replace', find: 'e', with: 'E', count: 2 },
      {
        op: 'set',
        title: 'T',
        folder: 'a/b',
        pinned: true,
        archived: true,
        tags: { add: ['c'], remove: ['a'] },
        properties: { x: null, y: { w: 3 } },
      },
    ]).expect(200);
    expect(response.body).toMatchObject({
      content: 'start\nonE 2\nEnd\n',
      title: 'T',
      folder: 'a/b',
      pinned: true,
      archived: true,
      tags: ['b', 'c'],
      properties: { y: { z: 2, w: 3 } },
      revision: 2,
      updatedBy: { kind: 'agent', id: agent.agentId },
    });
    expect(response.headers['etag']).toBe('"2"');
    expect((await world.as(agent).get(`/api/notes/${id}`)).body).toEqual(response.body);
    const revisions = await world.as(agent).get(`/api/notes/${id}/revisions`);
    expect(revisions.body.items).toHaveLength(2);
  });

  it('writes nothing when one of the edits does not fit', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'a a' });
    const response = await patch(agent, id, [
      { op: 'append', text: 'x' },
      { op: 'replace', find: 'a', with: 'b' },
    ]);
    expect([response.status, response.body.code]).toEqual([409, 'edit_not_applicable']);
    expect(response.body).toMatchObject({ edit: 1, found: 2 });
    expect(await contentOf(agent, id)).toBe('a a');
  });

  it('edits at headings, whose path may name those above them', async () => {
    const agent = anAgent();
    const content = '# Plan\n## Risks\nold\n### Deep\nold too\n# Log\n## Risks\nkept\n';
    const id = await aNote(agent, { content });
    const response = await patch(agent, id, [
      { op: 'replace_section', heading: 'Plan/Risks', text: 'new' },
      { op: 'insert_after', heading: 'Log', text: 'first' },
      { op: 'insert_before', heading: '/Log', text: 'between\n' },
    ]).expect(200);
    expect(response.body.content).toBe(
      '# Plan\n## Risks\nnew\n\nbetween\n# Log\nfirst\n## Risks\nkept\n',
    );
  });

  it('an unknown or ambiguous heading is 409 with the candidates; code has no headings', async () => {
    const agent = anAgent();
    const content = '# A\n## B\n```\n# Code\n```\n    # Indented\n# C\n## B\n';
    const id = await aNote(agent, { content });
    const unknown = await patch(agent, id, [{ op: 'insert_after', heading: 'Code', text: 'x' }]);
    expect([unknown.status, unknown.body.code]).toEqual([409, 'edit_not_applicable']);
    expect(unknown.body.candidates).toEqual([
      { heading: 'A', line: 1 },
      { heading: 'A/B', line: 2 },
      { heading: 'C', line: 7 },
      { heading: 'C/B', line: 8 },
    ]);
    const ambiguous = await patch(agent, id, [{ op: 'insert_after', heading: 'B', text: 'x' }]);
    expect([ambiguous.status, ambiguous.body.candidates]).toEqual([
      409,
      [
        { heading: 'A/B', line: 2 },
        { heading: 'C/B', line: 8 },
      ],
    ]);
    expect(await contentOf(agent, id)).toBe(content);
  });

  it('edits that change nothing keep the revision', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'same', content: 'x' });
    const response = await patch(agent, id, [{ op: 'set', title: 'same' }]).expect(200);
    expect(response.body.revision).toBe(1);
  });

  it('If-Match is honoured: 412 with the present note, and nothing is written', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'x' });
    const stale = await patch(agent, id, [{ op: 'append', text: 'y' }]).set('If-Match', '"7"');
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    expect(stale.body.current).toMatchObject({ id, content: 'x', revision: 1 });
    await patch(agent, id, [{ op: 'append', text: 'y' }])
      .set('If-Match', '"1"')
      .expect(200);
    expect(await contentOf(agent, id)).toBe('xy');
  });

  it('a retry with the same mutationId returns the first result, also after later changes', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: '' });
    const edits = [{ op: 'append', text: 'line\n' }];
    const first = await patchAt({ caller: agent, id }, edits, { mutationId: 'm' }).expect(200);
    await patch(agent, id, [{ op: 'append', text: 'later\n' }]).expect(200);
    const again = await patchAt({ caller: agent, id, instance: 1 }, edits, { mutationId: 'm' })
      .set('If-Match', '"1"')
      .expect(200);
    expect(again.body).toMatchObject({ revision: 2, content: 'line\n' });
    expect(again.body).toEqual(first.body);
    expect(again.headers['etag']).toBe('"2"');
    expect(await contentOf(agent, id)).toBe('line\nlater\n');
    const other = await patchAt({ caller: agent, id }, [{ op: 'append', text: 'other' }], {
      mutationId: 'm',
    });
    expect([other.status, other.body.code]).toEqual([409, 'mutation_id_reused']);
    const colleague = agentCaller({ companyId: agent.companyId });
    await patchAt({ caller: colleague, id }, edits, { mutationId: 'm' }).expect(200);
    expect(await contentOf(agent, id)).toBe('line\nlater\nline\n');
  });

  it('a retry with the same Idempotency-Key is applied once, and other edits with it are 409', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'a' });
    const append = (text: string) =>
      patchAt({ caller: agent, id }, [{ op: 'append', text }]).set('Idempotency-Key', 'k');
    expect((await append('b').expect(200)).body.revision).toBe(2);
    expect((await append('b').expect(200)).body).toMatchObject({ revision: 2, content: 'ab' });
    expect((await append('c').expect(409)).body.code).toBe('mutation_id_reused');
    expect(await contentOf(agent, id)).toBe('ab');
  });

  it('concurrent requests with one mutationId are applied once', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: '' });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        patchAt({ caller: agent, id, instance: index }, [{ op: 'append', text: 'x' }], {
          mutationId: 'once',
        }),
      ),
    );
    expect(responses.map(({ status, body }) => [status, body.revision])).toEqual(
      responses.map(() => [200, 2]),
    );
    expect(await contentOf(agent, id)).toBe('x');
  });

  it('return=minimal returns id, revision and time, on PATCH, PUT and restore', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'x' });
    const minimal = [
      await patch(agent, id, [{ op: 'append', text: 'y' }]).set('Prefer', 'return=minimal'),
      await world.as(agent).put(`/api/notes/${id}`).set('Prefer', 'return=minimal').send({}),
      await world
        .as(agent)
        .post(`/api/notes/${id}/restore`)
        .set('Prefer', 'return=minimal')
        .send({ revision: 1 }),
    ];
    for (const [index, { status, headers, body }] of minimal.entries()) {
      expect([status, headers['preference-applied'], headers['etag']]).toEqual([
        200,
        'return=minimal',
        `"${index + 2}"`,
      ]);
      expect(body).toEqual({ id, revision: index + 2, updatedAt: expect.any(String) });
    }
  });

  it('a note beyond 512 KiB is 413, and nothing is written', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'x'.repeat(512 * 1024) });
    const appended = await patch(agent, id, [{ op: 'append', text: 'y' }]);
    expect([appended.status, appended.body.code]).toEqual([413, 'body_too_large']);
    const grown = await patch(agent, id, [
      { op: 'replace', find: 'x', with: 'y'.repeat(100_000), count: 512 * 1024 },
    ]);
    expect([grown.status, grown.body.code]).toEqual([413, 'body_too_large']);
    const equal = await patch(agent, id, [
      { op: 'replace', find: 'x', with: 'y', count: 512 * 1024 },
    ]).set('Prefer', 'return=minimal');
    expect([equal.status, equal.body.revision]).toEqual([200, 2]);
  });

  it('tags and properties beyond their limits are 400, and nothing is written', async () => {
    const agent = anAgent();
    const tags = Array.from({ length: 60 }, (_, index) => `t${index}`);
    const id = await aNote(agent, { tags, properties: { big: 'x'.repeat(10_000) } });
    const tagged = await patch(agent, id, [
      { op: 'set', tags: { add: ['a', 'b', 'c', 'd', 'e'] } },
    ]);
    expect([tagged.status, tagged.body.code]).toEqual([400, 'validation_failed']);
    expect(tagged.body.errors[0].path).toBe('/edits/0/tags');
    const grown = await patch(agent, id, [
      { op: 'append', text: 'x' },
      { op: 'set', properties: { more: 'x'.repeat(10_000) } },
    ]);
    expect([grown.status, grown.body.errors[0].path]).toEqual([400, '/edits/1/properties']);
    expect((await world.as(agent).get(`/api/notes/${id}`)).body.revision).toBe(1);
  });

  it.each([
    ['no edits', []],
    ['33 edits', Array.from({ length: 33 }, () => ({ op: 'append', text: 'x' }))],
    ['an unknown operation', [{ op: 'erase' }]],
    ['an empty find', [{ op: 'replace', find: '', with: 'x' }]],
    ['an unknown field', [{ op: 'append', text: 'x', at: 1 }]],
    ['nothing to set', [{ op: 'set' }]],
    ['an invalid title', [{ op: 'set', title: 'a\nb' }]],
    ['an invalid folder', [{ op: 'set', folder: '/a' }]],
    ['NUL', [{ op: 'append', text: 'a\u0000' }]],
  ])('%s is 400', async (_, edits) => {
    const agent = anAgent();
    const id = await aNote(agent, {});
    const response = await patch(agent, id, edits);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  it('an unknown id is 404 and not created, a deleted note 404, another company’s 403', async () => {
    const agent = anAgent();
    const edits = [{ op: 'append', text: 'x' }];
    const unknown = aNoteId();
    expect((await patch(agent, unknown, edits)).body.code).toBe('not_found');
    expect((await world.as(agent).get(`/api/notes/${unknown}`)).status).toBe(404);
    const id = await aNote(agent, {});
    await world.as(agent).delete(`/api/notes/${id}`).expect(204);
    const deleted = await patch(agent, id, edits);
    expect([deleted.status, deleted.body.code]).toEqual([404, 'note_deleted']);
    const foreign = await patch(anAgent(), id, edits);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'cross_company']);
  });

  it('a paused agent is 409 and a viewer 403; conditions come first', async () => {
    const company = aCompany();
    const id = await aNote(anAgent(company), { content: 'x' });
    const edits = [{ op: 'append', text: 'x' }];
    const paused = agentCaller({ companyId: company, agentStatus: 'paused' });
    expect((await patch(paused, id, edits)).body.code).toBe('agent_paused');
    expect((await patch(paused, id, edits).set('If-Match', '"9"')).status).toBe(412);
    const viewer = operatorCaller({ companies: [grant(company, 'viewer')] });
    expect((await patch(viewer, id, edits)).body.code).toBe('role_insufficient');
  });

  it('edits are changes like others: a client that pulls gets them', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'x' });
    const client = syncClient(world, agent);
    const { cursor } = await client.pullAll();
    await patch(agent, id, [{ op: 'append', text: 'y' }]).expect(200);
    const { changes } = await client.sync({ cursor });
    expect(changes).toMatchObject([{ id, content: 'xy', revision: 2 }]);
  });

  it('32 writers append at once to one note on two instances: every line is kept once', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: '' });
    const lines = Array.from({ length: 96 }, (_, index) => `- entry ${index}\n`);
    const responses = await Promise.all(
      lines.map((text, index) =>
        patchAt({ caller: agent, id, instance: index }, [{ op: 'append', text }]),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(lines.map(() => 200));
    const ordered = lines
      .map((line, index) => ({ line, revision: responses[index]?.body.revision as number }))
      .toSorted((a, b) => a.revision - b.revision);
    expect(await contentOf(agent, id)).toBe(ordered.map(({ line }) => line).join(''));
  });

  it('concurrent edits of a large note at headings and by long repetitive texts all succeed', async () => {
    const agent = anAgent();
    const content = `${'a'.repeat(300_000)}\n# H\n`;
    const id = await aNote(agent, { content });
    const find = `b${'a'.repeat(99_999)}`;
    const responses = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) =>
        patchAt({ caller: agent, id, instance: index }, [
          { op: 'insert_after', heading: 'H', text: `- ${index}` },
        ]),
      ),
      patch(agent, id, [{ op: 'replace', find, with: '' }]),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
    const lines = (await contentOf(agent, id)).split('\n').slice(2, 6);
    expect(lines.toSorted()).toEqual(['- 0', '- 1', '- 2', '- 3']);
  });
});

describe('the result of an edit', () => {
  it('names the lines that changed, and what came since the revision that was read', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'a\nb\nc\nd\n' });
    const other = agentCaller({ companyId: agent.companyId });
    await patch(other, id, [{ op: 'replace', find: 'd\n', with: 'D\nE\n' }]).expect(200);
    await patch(other, id, [{ op: 'set', pinned: true }]).expect(200);
    const edits = [
      { op: 'replace', find: 'b\n', with: '' },
      { op: 'append', text: 'end\n' },
    ];
    const rest = { sinceRevision: 1, mutationId: 'm' };
    const { body } = await patchAt({ caller: agent, id }, edits, rest).expect(200);
    expect(body.changed.lines).toEqual([
      { line: 2, added: 0, removed: 1 },
      { line: 5, added: 1, removed: 0 },
    ]);
    const author = { kind: 'agent', id: other.agentId, name: null };
    expect(body.changed.since).toEqual({
      revisions: [3, 2].map((revision) => ({
        revision,
        at: expect.any(String),
        author: expect.objectContaining(author),
      })),
      hasMore: false,
      linesAdded: 2,
      linesRemoved: 1,
    });
    const again = await patchAt({ caller: agent, id }, edits, rest).expect(200);
    expect([again.body.revision, again.body.changed.lines]).toEqual([4, null]);
    expect(again.body.changed.since).toEqual(body.changed.since);
    const receipt = await patchAt({ caller: agent, id }, edits.slice(1), { sinceRevision: 4 })
      .set('Prefer', 'return=minimal')
      .expect(200);
    expect(receipt.body).toEqual({
      id,
      revision: 5,
      updatedAt: expect.any(String),
      changed: {
        lines: [{ line: 6, added: 1, removed: 0 }],
        since: { revisions: [], hasMore: false, linesAdded: 0, linesRemoved: 0 },
      },
    });
  });
});

describe('a rename with updateLinks', () => {
  const rename = (title: string) => [{ op: 'set', title, updateLinks: true }];

  it('changes the links that lead to the note, outside code, in one transaction', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'Old plan', content: 'see [[old plan]]\n' });
    const linking = await aNote(agent, {
      content: '[[Old  plan]], [[old PLAN|the plan]] and [[Old plans]] `[[Old plan]]`\n',
    });
    const apart = await aNote(agent, { content: '[[Other]]' });
    const { body } = await patch(agent, id, rename('New plan')).expect(200);
    expect([body.title, body.content]).toEqual(['New plan', 'see [[New plan]]\n']);
    expect(body.changed.linksUpdated).toEqual([linking]);
    expect(await contentOf(agent, linking)).toBe(
      '[[New plan]], [[New plan|the plan]] and [[Old plans]] `[[Old plan]]`\n',
    );
    expect(await contentOf(agent, apart)).toBe('[[Other]]');
    const { body: odd } = await patch(agent, id, rename('a|b')).expect(200);
    expect(odd.changed.linksUpdated).toEqual([linking]);
    expect(await contentOf(agent, linking)).toContain(`[[${id}|New plan]], [[${id}|the plan]]`);
  });

  it('changes nothing when it is refused, or requests nothing', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'Old' });
    const linking = await aNote(agent, { content: '[[Old]]' });
    const stale = patch(agent, id, rename('New')).set('If-Match', '"7"');
    expect((await stale).status).toBe(412);
    const { body } = await patch(agent, id, rename('Old')).expect(200);
    expect(body.changed.linksUpdated).toEqual([]);
    expect(await contentOf(agent, linking)).toBe('[[Old]]');
    await patch(agent, id, [{ op: 'set', updateLinks: true }]).expect(400);
  });

  it('is refused when too many notes link, and nothing changes', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'Hub' });
    const changes = Array.from({ length: 101 }, () => putOf({ content: '[[Hub]]' }));
    await syncClient(world, agent).push(...changes);
    const refused = await patch(agent, id, rename('Centre'));
    expect([refused.status, refused.body.code, refused.body.edit]).toEqual([
      409,
      'edit_not_applicable',
      0,
    ]);
    expect((await world.as(agent).get(`/api/notes/${id}`)).body.title).toBe('Hub');
  });

  it('names the notes for whose links the new title has no room', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'a' });
    const content = '[[a]]'.repeat(10_000);
    const full = await aNote(agent, { content });
    const { body } = await patch(agent, id, rename('t'.repeat(400))).expect(200);
    expect(body.changed).toMatchObject({ linksUpdated: [], linksNotUpdated: [full] });
    expect(await contentOf(agent, full)).toBe(content);
  });

  it('has its first result when it is repeated, however many notes link by then', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { title: 'First' });
    const body = { edits: rename('Second'), mutationId: 'once' };
    const send = () => world.as(agent).patch(`/api/notes/${id}`).send(body);
    await send().expect(200);
    const changes = Array.from({ length: 101 }, () => putOf({ content: '[[Second]]' }));
    await syncClient(world, agent).push(...changes);
    expect((await send().expect(200)).body).toMatchObject({ title: 'Second', revision: 2 });
  });

  it('never leaves links by the title that another one gave meanwhile', async () => {
    const agent = anAgent();
    for (let round = 0; round < 5; round += 1) {
      const id = await aNote(agent, { title: `Old ${round}` });
      const linking = await aNote(agent, { content: `[[Old ${round}]]` });
      const statuses = await Promise.all(
        ['b', 'c'].map(async (name, instance) => {
          const edits = rename(`${name} ${round}`);
          return (await patchAt({ caller: agent, id, instance }, edits)).status;
        }),
      );
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      const { title } = (await world.as(agent).get(`/api/notes/${id}`)).body as { title: string };
      expect(await contentOf(agent, linking)).toBe(`[[${title}]]`);
    }
  });
});

describe('costly edits', () => {
  const content = `# A\n${'- line of the list\n'.repeat(2_000)}`;

  it('neither hold the lock nor the other writes of their company, and none is lost', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content });
    const order: string[] = [];
    const costly = [0, 1, 2, 3].map(async (number) => {
      const edits = [{ op: 'prepend_to_section', heading: 'A', text: `- new ${number}` }];
      await patchAt({ caller: agent, id, instance: number % 2 }, edits).expect(200);
      order.push('costly');
    });
    const plain = (async () => {
      await aNote(agent, { content: 'plain' });
      await patch(agent, id, [{ op: 'append', text: 'appended\n' }]).expect(200);
      order.push('plain');
    })();
    await Promise.all([...costly, plain]);
    // Which one is first depends on the machine; a plain write never waits for all costly ones.
    expect(order.at(-1)).toBe('costly');
    const stored = await contentOf(agent, id);
    expect([0, 1, 2, 3].filter((number) => !stored.includes(`- new ${number}\n`))).toEqual([]);
    expect(stored.endsWith('appended\n')).toBe(true);
  });

  it('that grow step by step are made in the thread', async () => {
    const agent = anAgent();
    const id = await aNote(agent, { content: 'a' });
    const grow = Array.from({ length: 19 }, (_, index) => {
      return { op: 'replace', find: 'a', with: 'aa', count: 2 ** index };
    });
    const swaps = ['a', 'b'].map((find) => {
      return { op: 'replace', find, with: find === 'a' ? 'b' : 'a', count: 2 ** 19 };
    });
    const order: string[] = [];
    const growing = patch(agent, id, [...grow, ...swaps]).then(({ status }) => {
      order.push(`grown ${status}`);
    });
    await Promise.all([growing, aNote(anAgent(), {}).then(() => order.push('neighbour'))]);
    expect(order[0]).toBe('neighbour');
    expect(order[1]).toMatch(/^grown (?:200|409)$/);
  });
});
