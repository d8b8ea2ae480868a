import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runId, newId } from '@commonplace/contracts';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const put = (caller: Parameters<NotesWorld['as']>[0], id: string, body: object = {}) =>
  world.as(caller).put(`/api/notes/${id}`).send(body);

describe('PUT /api/notes/{id} 201', () => {
  it('creates a note with the defaults of absent fields, its author from the credential', async () => {
    const run = runId.parse(newId());
    const agent = agentCaller({ runId: run });
    const id = aNoteId();
    const response = await put(agent, id.toUpperCase(), {
      title: 'Hello',
      content: '# A\n\n*b* c',
    });
    expect(response.status).toBe(201);
    expect(response.headers['etag']).toBe('"1"');
    expect(response.headers['location']).toBe(`/api/notes/${id}`);
    expect(response.body).toMatchObject({
      id,
      companyId: agent.companyId,
      title: 'Hello',
      folder: '',
      tags: [],
      pinned: false,
      archived: false,
      properties: {},
      revision: 1,
      size: 10,
      snippet: 'A b c',
      conflictOf: null,
      deletedAt: null,
      createdBy: { kind: 'agent', id: agent.agentId, runId: run },
      updatedBy: { kind: 'agent', id: agent.agentId, runId: run },
    });
    expect((await world.as(agent).get(`/api/notes/${id}`)).body).toEqual(response.body);
  });

  it('a request without a body changes nothing, and an empty object sets the defaults', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'Kept', content: 'words' });
    const path = `/api/notes/${id}`;
    for (const absent of [
      world.as(agent).put(path),
      world.as(agent).put(path).type('json').send(''),
      world.as(agent).put(path).type('json').send('\ufeff'),
    ]) {
      const { status, body } = await absent;
      expect([status, body.code]).toEqual([400, 'validation_failed']);
    }
    expect((await world.as(agent).get(path)).body).toMatchObject({ content: 'words', revision: 1 });
    expect((await put(agent, id)).body).toMatchObject({ title: '', content: '', revision: 2 });
  });

  it('brings a deleted note back, and its revisions go on', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'one' });
    await world.as(agent).delete(`/api/notes/${id}`).expect(204);
    const response = await put(agent, id, { title: 'two' });
    expect([response.status, response.body.revision, response.body.deletedAt]).toEqual([
      201,
      3,
      null,
    ]);
  });

  it('keeps properties as they are, a key called __proto__ included', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const properties = JSON.parse(
      '{"z":1,"a":{"__proto__":[1.5,null]},"__proto__":{"x":true}}',
    ) as object;
    const response = await put(agent, id, { properties });
    expect(JSON.stringify(response.body.properties)).toBe(JSON.stringify(properties));
    const read = await world.as(agent).get(`/api/notes/${id}`);
    expect(read.text).toContain(
      '"properties":{"z":1,"a":{"__proto__":[1.5,null]},"__proto__":{"x":true}}',
    );
  });

  it('stores tags trimmed, in normal form C, unique and sorted', async () => {
    const response = await put(anAgent(), aNoteId(), {
      tags: [' b', 'e\u0301', '\u00e9', 'a', 'b '],
    });
    expect(response.body.tags).toEqual(['a', 'b', '\u00e9']);
  });

  it('stores 30,000 distinct words, and 512 KiB of four-byte characters', async () => {
    const words = Array.from({ length: 30_000 }, (_, index) => `w${index}-x${index * 7}`).join(' ');
    expect((await put(anAgent(), aNoteId(), { content: words })).status).toBe(201);
    expect((await put(anAgent(), aNoteId(), { content: '𐐀𐐁 '.repeat(58_254) })).status).toBe(201);
  });
});

describe('PUT /api/notes/{id} 200', () => {
  it('replaces every field; absent ones take their default', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'one', tags: ['a'], pinned: true });
    const response = await put(agent, id, { content: 'two' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      title: '',
      content: 'two',
      tags: [],
      pinned: false,
      revision: 2,
    });
  });

  it('changes nothing when the stored note equals the body, also with an old If-Match', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'one', properties: { a: 1, b: 2 } });
    const again = await put(agent, id, { title: 'one', properties: { b: 2, a: 1 } }).set(
      'If-Match',
      '"77"',
    );
    expect([again.status, again.body.revision]).toEqual([200, 1]);
  });

  it('accepts the current revision in If-Match, weak and in a list too', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: '1' });
    expect((await put(agent, id, { title: '2' }).set('If-Match', '"1"')).status).toBe(200);
    expect((await put(agent, id, { title: '3' }).set('If-Match', 'W/"2"')).status).toBe(200);
    expect((await put(agent, id, { title: '4' }).set('If-Match', '"9", "3"')).status).toBe(200);
    expect((await put(agent, id, { title: '5' }).set('If-Match', '*')).body.revision).toBe(5);
  });
});

describe('PUT /api/notes/{id} 412', () => {
  it('includes the current note when If-Match names another revision', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'one' });
    const response = await put(agent, id, { title: 'two' }).set('If-Match', '"2"');
    expect(response.status).toBe(412);
    expect(response.body.code).toBe('precondition_failed');
    expect(response.body.current).toMatchObject({ id, title: 'one', revision: 1 });
  });

  it('refuses If-Match on an unknown and on a deleted note', async () => {
    const agent = anAgent();
    const id = aNoteId();
    expect((await put(agent, id).set('If-Match', '*')).status).toBe(412);
    await put(agent, id);
    await world.as(agent).delete(`/api/notes/${id}`);
    expect((await put(agent, id).set('If-Match', '"2"')).status).toBe(412);
  });

  it('rejects If-None-Match: * for an active note, and creates where there is none', async () => {
    const agent = anAgent();
    const id = aNoteId();
    expect((await put(agent, id, { title: 'a' }).set('If-None-Match', '*')).status).toBe(201);
    const again = await put(agent, id, { title: 'a' }).set('If-None-Match', '*');
    expect([again.status, again.body.current.revision]).toEqual([412, 1]);
    await world.as(agent).delete(`/api/notes/${id}`);
    expect((await put(agent, id).set('If-None-Match', '*')).status).toBe(201);
  });

  it('comes before the state: a paused agent with a failing condition gets 412, with a good one 409', async () => {
    const agent = anAgent();
    const id = aNoteId();
    await put(agent, id, { title: 'one' });
    const paused = { ...agent, agentStatus: 'paused' as const };
    expect((await put(paused, id, { title: 'x' }).set('If-Match', '"9"')).status).toBe(412);
    const refused = await put(paused, id, { title: 'x' }).set('If-Match', '"1"');
    expect([refused.status, refused.body.code]).toEqual([409, 'agent_paused']);
    expect((await world.as(agent).get(`/api/notes/${id}`)).body.revision).toBe(1);
  });
});

describe('PUT /api/notes/{id} 400', () => {
  it.each([
    ['an unknown field', { titel: 'x' }],
    ['a read-only field', { revision: 3 }],
    ['a title of 501 characters', { title: 'x'.repeat(501) }],
    ['a control character in the title', { title: 'a\u0007' }],
    ['NUL in the content', { content: 'a\u0000b' }],
    ['a lone surrogate in a property key', { properties: { '\ud800': 1 } }],
    ['NUL deep in the properties', { properties: { a: [{ b: '\u0000' }] } }],
    ['content over 512 KiB of UTF-8', { content: 'é'.repeat(262_145) }],
    ['properties over 16 KiB', { properties: { a: 'x'.repeat(16_384) } }],
    ['properties that are a list', { properties: [] }],
    ['a folder that climbs', { folder: 'a/../b' }],
    ['an empty folder segment', { folder: '/a' }],
    ['65 tags', { tags: Array.from({ length: 65 }, (_, index) => `t${index}`) }],
    ['a blank tag', { tags: ['  '] }],
    ['a number for a title', { title: 5 }],
  ])('refuses %s', async (_name, body) => {
    const response = await put(anAgent(), aNoteId(), body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  it('takes limits in characters and bytes as documented', async () => {
    const full = { title: '😀'.repeat(500), content: 'é'.repeat(262_144), tags: ['😀'.repeat(64)] };
    expect((await put(anAgent(), aNoteId(), full)).status).toBe(201);
  });

  it('refuses a malformed If-Match: a condition must not be lost', async () => {
    const response = await put(anAgent(), aNoteId()).set('If-Match', '3');
    expect([response.status, response.body.code]).toEqual([400, 'malformed_header']);
  });
});

describe('PUT /api/notes/{id} 403', () => {
  it('refuses a note of another company, whatever the body, the conditions and the state', async () => {
    const id = aNoteId();
    await put(anAgent(), id, { title: 'theirs' });
    const outsider = anAgent();
    const paused = { ...outsider, agentStatus: 'paused' as const };
    for (const response of [
      await put(outsider, id, { title: 'mine' }),
      await put(outsider, id, { wrong: true }),
      await put(outsider, id).set('If-Match', '"9"'),
      await put(paused, id),
    ]) {
      expect([response.status, response.body.code]).toEqual([403, 'cross_company']);
    }
  });

  it('refuses a viewer', async () => {
    const viewer = operatorCaller({ companies: [grant(aCompany(), 'viewer')] });
    expect((await put(viewer, aNoteId())).body.code).toBe('role_insufficient');
  });
});

describe('PUT /api/notes/{id} 409', () => {
  it('refuses to write into an archived company', async () => {
    const owner = operatorCaller({
      companies: [grant(aCompany(), 'owner', { companyStatus: 'archived' })],
    });
    expect((await put(owner, aNoteId())).body.code).toBe('company_archived');
  });
});
