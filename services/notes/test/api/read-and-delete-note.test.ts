import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const aNote = async (body: object = { title: 'one' }) => {
  const agent = anAgent();
  const id = aNoteId();
  await world.as(agent).put(`/api/notes/${id}`).send(body).expect(201);
  return { agent, id, path: `/api/notes/${id}`, api: world.as(agent) };
};

describe('GET /api/notes/{id}', () => {
  it('is 200 with the ETag of the revision and may be kept by the caller alone', async () => {
    const { api, path } = await aNote();
    const response = await api.get(path);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      etag: '"1"',
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Cookie, X-Company-Id',
    });
  });

  it('is 304 for the revision the caller has, strong, weak or among others, and 200 for another', async () => {
    const { api, path } = await aNote();
    for (const tag of ['"1"', 'W/"1"', '"9", "1"', '*']) {
      const response = await api.get(path).set('If-None-Match', tag);
      expect([response.status, response.headers['etag'], response.text]).toEqual([304, '"1"', '']);
    }
    expect((await api.get(path).set('If-None-Match', '"2"')).status).toBe(200);
  });

  it('is 404 for an id that exists nowhere, and for a tombstone with a code of its own', async () => {
    const { api, path } = await aNote();
    await api.delete(path).expect(204);
    expect((await api.get(path)).body).toMatchObject({ status: 404, code: 'note_deleted' });
    expect((await api.get(`/api/notes/${aNoteId()}`)).body).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('is 403 for a note of another company, active or deleted', async () => {
    const { api, path } = await aNote();
    expect((await world.as(anAgent()).get(path)).body.code).toBe('cross_company');
    await api.delete(path);
    expect((await world.as(anAgent()).get(path)).body.code).toBe('cross_company');
  });

  it('finds the company of a note for an operator of several', async () => {
    const { agent, path } = await aNote();
    const operator = operatorCaller({
      companies: [grant(aCompany()), grant(agent.companyId, 'viewer')],
    });
    expect((await world.as(operator).get(path)).status).toBe(200);
    const outsider = operatorCaller({ companies: [grant(aCompany()), grant(aCompany())] });
    expect((await world.as(outsider).get(path)).body.code).toBe('cross_company');
  });

  it('is 400 for an id that is no UUID', async () => {
    expect((await world.as(anAgent()).get('/api/notes/nope')).status).toBe(400);
  });
});

describe('DELETE /api/notes/{id}', () => {
  it('leaves a tombstone with the next revision, and deleting again changes nothing', async () => {
    const { api, path } = await aNote();
    await api.delete(path).expect(204);
    await api.delete(path).expect(204);
    const revisions = await api.get(`${path}/revisions`);
    expect(
      revisions.body.items.map((item: { revision: number; deleted: boolean }) => [
        item.revision,
        item.deleted,
      ]),
    ).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it('honours If-Match, and shows the note that is there instead', async () => {
    const { api, path } = await aNote();
    const refused = await api.delete(path).set('If-Match', '"2"');
    expect([refused.status, refused.body.current.revision]).toEqual([412, 1]);
    await api.delete(path).set('If-Match', '"1"').expect(204);
  });

  it('is 404 for an unknown id, 403 for a foreign one, also for those who may not write', async () => {
    const { path } = await aNote();
    const paused = { ...anAgent(), agentStatus: 'paused' as const };
    expect((await world.as(anAgent()).delete(`/api/notes/${aNoteId()}`)).status).toBe(404);
    expect((await world.as(paused).delete(`/api/notes/${aNoteId()}`)).status).toBe(404);
    expect((await world.as(anAgent()).delete(path)).status).toBe(403);
    expect((await world.as(paused).delete(path).set('If-Match', 'nonsense')).status).toBe(403);
  });

  it('is 409 for a paused agent, and the note stays', async () => {
    const { agent, api, path } = await aNote();
    const response = await world.as({ ...agent, agentStatus: 'paused' }).delete(path);
    expect(response.body.code).toBe('agent_paused');
    expect((await api.get(path)).status).toBe(200);
  });
});

/** Which version each version restored, newest first. */
const restoredOf = async (
  path: string,
  { get }: Pick<Awaited<ReturnType<typeof aNote>>['api'], 'get'>,
) => {
  const { body } = await get(`${path}/revisions`).expect(200);
  const { items } = body as { readonly items: readonly { readonly restoredFrom?: number }[] };
  return items.map(({ restoredFrom }) => restoredFrom);
};

describe('revisions and restore', () => {
  it('every version is kept with author and time, newest first, in pages', async () => {
    const { api, agent, path } = await aNote({ title: 'v1' });
    await api.put(path).send({ title: 'v2', content: 'two' });
    await api.put(path).send({ title: 'v3', content: 'three' });
    const first = await api.get(`${path}/revisions?limit=2`);
    expect(first.body.items).toHaveLength(2);
    expect(first.body.items[0]).toMatchObject({
      revision: 3,
      title: 'v3',
      deleted: false,
      createdBy: { kind: 'agent', id: agent.agentId },
    });
    const rest = await api.get(`${path}/revisions?limit=2&cursor=${first.body.nextCursor}`);
    expect(rest.body).toMatchObject({ items: [{ revision: 1 }], nextCursor: null });
    expect((await api.get(`${path}/revisions/2`)).body).toMatchObject({
      revision: 2,
      content: 'two',
    });
  });

  it('a cursor of another note, or garbage, is 400', async () => {
    const [one, other] = [await aNote(), await aNote()];
    await one.api.put(one.path).send({ title: 'v2' });
    const { nextCursor } = (await one.api.get(`${one.path}/revisions?limit=1`)).body;
    expect((await other.api.get(`${other.path}/revisions?cursor=${nextCursor}`)).status).toBe(400);
    expect((await other.api.get(`${other.path}/revisions?cursor=x`)).status).toBe(400);
  });

  it('versions that are not there are 404, those of a foreign note 403', async () => {
    const { api, path } = await aNote();
    expect((await api.get(`${path}/revisions/9`)).status).toBe(404);
    expect((await api.get(`/api/notes/${aNoteId()}/revisions`)).status).toBe(404);
    expect((await world.as(anAgent()).get(`${path}/revisions/1`)).status).toBe(403);
    expect((await world.as(anAgent()).get(`${path}/revisions`)).status).toBe(403);
  });

  it('undeletes: the note comes back as it was, as a new revision', async () => {
    const { api, path } = await aNote({ title: 'kept', content: 'text', tags: ['a'] });
    await api.delete(path);
    const response = await api.post(`${path}/restore`).send({});
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      title: 'kept',
      content: 'text',
      tags: ['a'],
      revision: 3,
    });
    expect((await api.get(path)).status).toBe(200);
    expect(await restoredOf(path, api)).toEqual([undefined, undefined, undefined]);
  });

  it('brings an old revision back as a new one, and is a no-op when the note already equals it', async () => {
    const { api, path } = await aNote({ content: 'old' });
    await api.put(path).send({ content: 'new' });
    const response = await api.post(`${path}/restore`).send({ revision: 1 });
    expect(response.body).toMatchObject({ content: 'old', revision: 3 });
    expect(response.headers['note-restored']).toBe('true');
    for (const body of [{ revision: 1 }, {}]) {
      const again = await api.post(`${path}/restore`).set('Prefer', 'return=minimal').send(body);
      expect([again.body.revision, again.headers['note-restored']]).toEqual([3, 'false']);
    }
  });

  it('a version says which one it restored; an edit after it, and the same text sent by PUT, restored none', async () => {
    const { api, path } = await aNote({ content: 'one' });
    await api.put(path).send({ content: 'two' });
    await api.post(`${path}/restore`).send({ revision: 1 }).expect(200);
    await api.put(path).send({ content: 'two' });
    await api.delete(path);
    await api.post(`${path}/restore`).send({ revision: 3 }).expect(200);
    expect(await restoredOf(path, api)).toEqual([3, undefined, undefined, 1, undefined, undefined]);
    expect((await api.get(`${path}/revisions/3`)).body).toMatchObject({ restoredFrom: 1 });
    expect((await api.get(`${path}/revisions/4`)).body).not.toHaveProperty('restoredFrom');
  });

  it('overwrites nothing that came after the version its If-Match names; a retry, and a note that is as the version, pass', async () => {
    const { api, path } = await aNote({ content: 'old' });
    await api.put(path).send({ content: 'new' });
    await api.put(path).send({ content: 'of another' });
    const restore = (tag: string) =>
      api.post(`${path}/restore`).set('If-Match', tag).send({ revision: 1 });
    const refused = await restore('"2"');
    expect([refused.status, refused.body.current.content]).toEqual([412, 'of another']);
    expect((await restore('2')).status).toBe(400);
    for (const tag of ['"3"', '"3"', '*']) {
      expect((await restore(tag)).body).toMatchObject({ content: 'old', revision: 4 });
    }
    await api.delete(path);
    const deleted = await restore('"4"');
    expect([deleted.status, deleted.body.current]).toEqual([412, undefined]);
    expect((await restore('*')).status).toBe(412);
    expect((await restore('"5"')).body).toMatchObject({ content: 'old', revision: 6 });
    await api.delete(path);
    expect((await restore('"5"')).status).toBe(412);
  });

  it('a revision that is not there, or is a deletion, is 404; a foreign note is 403', async () => {
    const { api, path } = await aNote();
    await api.delete(path);
    expect((await api.post(`${path}/restore`).send({ revision: 2 })).status).toBe(404);
    expect((await api.post(`${path}/restore`).send({ revision: 7 })).status).toBe(404);
    expect((await world.as(anAgent()).post(`${path}/restore`).send({})).status).toBe(403);
    expect((await api.post(`/api/notes/${aNoteId()}/restore`).send({})).status).toBe(404);
  });
});

describe('GET /api/notes/{id}/revisions', () => {
  it('is 403 for a note of another company, also with a cursor that is right for it', async () => {
    const { api, path } = await aNote();
    await api.put(path).send({ title: 'two' }).expect(200);
    const first = await api.get(`${path}/revisions?limit=1`).expect(200);
    const next = `${path}/revisions?limit=1&cursor=${first.body.nextCursor}`;
    expect((await api.get(next)).body.items).toHaveLength(1);
    const foreign = await world.as(anAgent()).get(next);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'cross_company']);
  });
});
