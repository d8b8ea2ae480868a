import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentCaller } from '@commonplace/testkit';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

type Caller = Parameters<NotesWorld['as']>[0];

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const post = (caller: Caller, body: object, instance = 0) =>
  world.as(caller, instance).post('/api/notes').send(body);
const byPath = (caller: Caller, query: string) =>
  world.as(caller).get(`/api/notes/by-path?${query}`);
const countOf = async (caller: Caller): Promise<number> =>
  (await world.as(caller).get('/api/notes?limit=200').expect(200)).body.items.length;

describe('POST /api/notes', () => {
  it('creates a note with an id of the server', async () => {
    const agent = anAgent();
    const response = await post(agent, { title: 'A', content: 'x', tags: ['t'] });
    const { id } = response.body;
    expect([response.status, response.headers['location'], response.headers['etag']]).toEqual([
      201,
      `/api/notes/${id}`,
      '"1"',
    ]);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect((await world.as(agent).get(`/api/notes/${id}`)).body).toEqual(response.body);
  });

  it('return=minimal returns id, revision and time', async () => {
    const response = await post(anAgent(), {}).set('Prefer', 'return=minimal');
    expect(response.body).toEqual({
      id: expect.any(String),
      revision: 1,
      updatedAt: expect.any(String),
    });
  });

  it('creates once for any number of concurrent attempts with one key, and returns the first result', async () => {
    const agent = anAgent();
    const attempts = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post(agent, { title: 'once' }, index).set('Idempotency-Key', 'k-1'),
      ),
    );
    expect(new Set(attempts.map(({ body }) => body.id)).size).toBe(1);
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 201));
    const [first] = attempts;
    const id = String(first?.body.id);
    await world.as(agent).put(`/api/notes/${id}`).send({ title: 'changed' }).expect(200);
    const late = await post(agent, { title: 'once' }).set('Idempotency-Key', 'k-1');
    expect([late.status, late.headers['location']]).toEqual([201, `/api/notes/${id}`]);
    expect(late.body).toEqual(first?.body);
    const other = await post(agent, { title: 'other' }).set('Idempotency-Key', 'k-1');
    expect([other.status, other.body.code]).toEqual([409, 'mutation_id_reused']);
    const colleague = agentCaller({ companyId: agent.companyId });
    const theirs = await post(colleague, { title: 'once' }).set('Idempotency-Key', 'k-1');
    expect([theirs.status, theirs.body.id === id]).toEqual([201, false]);
    expect(await countOf(agent)).toBe(2);
  });

  it('a malformed key is 400', async () => {
    const response = await post(anAgent(), {}).set('Idempotency-Key', 'k'.repeat(256));
    expect([response.status, response.body.code]).toEqual([400, 'malformed_header']);
  });

  it('ifTitleExists return: one note of a title in a folder, however many create it at once', async () => {
    const agent = anAgent();
    const titles = ['Straße', 'STRASSE', 'strasse', 'StraSSe'];
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        post(
          agent,
          { title: titles[index % 4], content: String(index), ifTitleExists: 'return' },
          index,
        ),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(23);
    const [created] = responses.filter(({ status }) => status === 201);
    expect(responses.map(({ body }) => body)).toEqual(responses.map(() => created?.body));
    const elsewhere = { title: 'strasse', folder: 'b', ifTitleExists: 'return' };
    expect((await post(agent, elsewhere)).status).toBe(201);
    expect(await countOf(agent)).toBe(2);
  });

  it('ifTitleExists fail: 409 with the id of the existing note; a deleted note does not count', async () => {
    const agent = anAgent();
    const body = { title: 'x'.repeat(500), folder: 'f', ifTitleExists: 'fail' };
    const { id } = (await post(agent, body).expect(201)).body;
    const second = await post(agent, { ...body, title: 'X'.repeat(500) });
    expect([second.status, second.body.code, second.body.existing]).toEqual([
      409,
      'title_exists',
      id,
    ]);
    await post(agent, { ...body, title: `${'x'.repeat(499)}y` }).expect(201);
    await world.as(agent).delete(`/api/notes/${id}`).expect(204);
    await post(agent, body).expect(201);
    await post(agent, { ...body, ifTitleExists: 'create' }).expect(201);
  });

  it('the longest titles and folders can be stored and found', async () => {
    const agent = anAgent();
    const letters = Array.from({ length: 500 }, (_, index) =>
      String.fromCodePoint(0x20000 + index * 7),
    );
    const folder = [...letters, '𐐀', '𐐁'].join('');
    for (const title of [letters.join(''), letters.slice(0, 100).join('')]) {
      const { id } = (await post(agent, { title, folder }).expect(201)).body;
      const found = await byPath(
        agent,
        `folder=${encodeURIComponent(folder)}&title=${encodeURIComponent(title)}`,
      );
      expect([found.status, found.body.id]).toEqual([200, id]);
    }
  });
});

describe('GET /api/notes/by-path', () => {
  it('reads the note of a title in a folder, letter case aside, with an ETag', async () => {
    const agent = anAgent();
    const { body } = await post(agent, { title: 'Étude', folder: 'a/b', content: 'x' });
    const title = encodeURIComponent('e\u0301TUDE');
    const found = await byPath(agent, `folder=a/b&title=${title}`).expect(200);
    expect(found.body).toEqual(body);
    const tag = found.headers['etag'] ?? '';
    expect(tag).toBe(`"1-${body.id}"`);
    await byPath(agent, `folder=a/b&title=${title}`).set('If-None-Match', tag).expect(304);
    expect((await byPath(agent, `title=${title}`)).body.code).toBe('not_found');
    expect((await byPath(anAgent(), `folder=a/b&title=${title}`)).body.code).toBe('not_found');
  });

  it('another note of the same title is not taken for the one that the client knows', async () => {
    const agent = anAgent();
    const { body: first } = await post(agent, { title: 'Plan', content: 'first' });
    const { headers } = await byPath(agent, 'title=Plan').expect(200);
    const edits = [{ op: 'set', title: 'Old plan' }];
    await world.as(agent).patch(`/api/notes/${first.id}`).send({ edits }).expect(200);
    await post(agent, { title: 'Plan', content: 'second' });
    const again = byPath(agent, 'title=Plan').set('If-None-Match', headers['etag'] ?? '');
    expect((await again.expect(200)).body.content).toBe('second');
  });

  it('its ETag is a condition for changes of that note alone', async () => {
    const agent = anAgent();
    const [{ body: note }, { body: other }] = [
      await post(agent, { title: 'Plan', content: 'a' }),
      await post(agent, { title: 'Other', content: 'a' }),
    ];
    const tag = (await byPath(agent, 'title=Plan').expect(200)).headers['etag'] ?? '';
    const put = ({ id }: { id: string }, content: string) =>
      world.as(agent).put(`/api/notes/${id}`).set('If-Match', tag).send({ title: 'Plan', content });
    await put(other, 'b').expect(412);
    await put(note, 'b').expect(200);
    await put(note, 'c').expect(412);
  });

  it('several notes are 409 with candidates, unless one has exactly the title', async () => {
    const agent = anAgent();
    const ids: string[] = [];
    for (const title of ['log', 'Log']) {
      ids.push((await post(agent, { title }).expect(201)).body.id);
    }
    expect((await byPath(agent, 'title=Log').expect(200)).body.id).toBe(ids[1]);
    const ambiguous = await byPath(agent, 'title=LOG');
    expect([ambiguous.status, ambiguous.body.code]).toEqual([409, 'ambiguous']);
    expect(ambiguous.body.candidates).toMatchObject([
      { id: ids[1], title: 'Log', folder: '', revision: 1 },
      { id: ids[0], title: 'log', folder: '', revision: 1 },
    ]);
    await world.as(agent).delete(`/api/notes/${ids[0]}`).expect(204);
    expect((await byPath(agent, 'title=LOG').expect(200)).body.id).toBe(ids[1]);
  });
});

describe('PUT with a note that was read', () => {
  it('accepts read-only fields with the values they have, also in a retry', async () => {
    const agent = anAgent();
    const { body: note } = await post(agent, { title: 'a', content: 'x' });
    const path = `/api/notes/${note.id}`;
    const same = await world.as(agent).put(path).send(note).expect(200);
    expect(same.body.revision).toBe(1);
    const changed = { ...note, content: 'y' };
    expect((await world.as(agent).put(path).send(changed).expect(200)).body.revision).toBe(2);
    expect((await world.as(agent).put(path).send(changed).expect(200)).body.revision).toBe(2);
  });

  it.each([
    ['revision', 7],
    ['createdAt', '2020-01-01T00:00:00.000Z'],
    ['size', 99],
    ['conflictOf', '00000000-0000-7000-8000-000000000001'],
  ])('another value of %s is 400, and nothing is written', async (name, value) => {
    const agent = anAgent();
    const { body: note } = await post(agent, { title: 'a', content: 'x' });
    const response = await world
      .as(agent)
      .put(`/api/notes/${note.id}`)
      .send({ ...note, content: 'z', [name]: value });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors).toEqual([
      { path: `/${name}`, message: 'is read-only and has another value' },
    ]);
    expect((await world.as(agent).get(`/api/notes/${note.id}`)).body.content).toBe('x');
  });

  it('a note that does not exist has no read-only values', async () => {
    const response = await world
      .as(anAgent())
      .put(`/api/notes/${aNoteId()}`)
      .send({ title: 'a', revision: 1 });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });
});
