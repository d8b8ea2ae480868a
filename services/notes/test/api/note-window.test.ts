import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

const aNote = async (content: string) => {
  const api = world.as(anAgent());
  const path = `/api/notes/${aNoteId()}`;
  await api.put(path).send({ title: 'windows', content }).expect(201);
  return { api, path };
};

describe('GET /api/notes/{id}?from=&maxBytes=', () => {
  it('is the part between characters, with its position, and all other fields of the note', async () => {
    const { api, path } = await aNote('aé€😀z');
    const { body: whole } = await api.get(path).expect(200);
    expect(whole).not.toHaveProperty('window');
    const response = await api.get(`${path}?from=2&maxBytes=6`).expect(200);
    expect(response.body).toEqual({
      ...whole,
      content: 'é€',
      window: { from: 1, to: 6, size: 11, truncated: true },
    });
    expect(response.headers['etag']).toBe('"1"');
  });

  it('has window when only one of both is given, also if the content fits', async () => {
    const { api, path } = await aNote('short');
    const whole = { from: 0, to: 5, size: 5, truncated: false };
    expect((await api.get(`${path}?maxBytes=524288`)).body.window).toEqual(whole);
    expect((await api.get(`${path}?from=0`)).body.window).toEqual(whole);
    const { body } = await api.get(`${path}?from=3`);
    expect([body.content, body.window.from]).toEqual(['rt', 3]);
  });

  it('reads a large note in windows', async () => {
    const content = 'zwölf Bären\n'.repeat(20_000);
    const { api, path } = await aNote(content);
    const parts: string[] = [];
    let from = 0;
    let isTruncated = true;
    while (isTruncated) {
      const { body } = await api.get(`${path}?from=${from}&maxBytes=100000`).expect(200);
      parts.push(body.content);
      [from, isTruncated] = [body.window.to, body.window.truncated];
    }
    expect([parts.length, parts.join('') === content]).toEqual([3, true]);
  });

  it('is 304 for the revision the caller has', async () => {
    const { api, path } = await aNote('some text');
    await api.get(`${path}?maxBytes=4`).set('If-None-Match', '"1"').expect(304);
  });

  it.each(['maxBytes=0', 'maxBytes=524289', 'from=-1', 'from=x', 'from=1.5'])(
    'is 400 for %s',
    async (query) => {
      const { api, path } = await aNote('some text');
      await api.get(`${path}?${query}`).expect(400);
    },
  );

  it('is 400 when it is sent back with PUT, and the note stays whole', async () => {
    const { api, path } = await aNote('some text');
    const { body } = await api.get(`${path}?maxBytes=4`).expect(200);
    await api.put(path).set('If-Match', '"1"').send(body).expect(400);
    const { title, content, window } = body;
    await api.put(path).send({ title, content, window }).expect(400);
    const { body: stored } = await api.get(path);
    expect([stored.content, stored.revision]).toEqual(['some text', 1]);
  });
});
