import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

/** A note with these versions. */
const aNote = async (...versions: readonly object[]) => {
  const api = world.as(anAgent());
  const path = `/api/notes/${aNoteId()}`;
  for (const version of versions) {
    expect((await api.put(path).send(version)).status).toBeLessThan(300);
  }
  return { api, path };
};

const lines = (...items: readonly string[]): string => items.map((item) => `${item}\n`).join('');

describe('GET /api/notes/{id}/diff', () => {
  it('shows each field that differs, up to the current version', async () => {
    const { api, path } = await aNote(
      { title: 'Plan', content: lines('one', 'two', 'three'), tags: ['a'] },
      { title: 'Plan', content: lines('one', '2', 'three') },
      { title: 'Plans', content: lines('one', '2', 'three', 'four'), properties: { b: 1 } },
    );
    const { body } = await api.get(`${path}/diff?from=1`).expect(200);
    expect([body.from, body.to]).toEqual([1, 3]);
    expect(body.fields).toEqual([
      { field: 'title', diff: '@@ -1,1 +1,1 @@\n-Plan\n+Plans\n', truncated: false },
      { field: 'tags', diff: '@@ -1,3 +1,1 @@\n-[\n-  "a"\n-]\n+[]\n', truncated: false },
      {
        field: 'properties',
        diff: '@@ -1,1 +1,3 @@\n-{}\n+{\n+  "b": 1\n+}\n',
        truncated: false,
      },
      {
        field: 'content',
        diff: '@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n',
        truncated: false,
      },
    ]);
  });

  it('compares two versions in either direction, with the requested lines of context', async () => {
    const { api, path } = await aNote(
      { content: lines('a', 'b', 'c', 'd', 'e') },
      { content: lines('a', 'b', 'C', 'd', 'e') },
      { content: '' },
    );
    const forward = await api.get(`${path}/diff?from=1&to=2&context=1`).expect(200);
    expect(forward.body.fields[0].diff).toBe('@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n');
    const back = await api.get(`${path}/diff?from=2&to=1&context=0`).expect(200);
    expect(back.body.fields[0].diff).toBe('@@ -3,1 +3,1 @@\n-C\n+c\n');
    const removed = await api.get(`${path}/diff?from=1&context=0`).expect(200);
    expect(removed.body.fields[0].diff).toBe('@@ -1,5 +0,0 @@\n-a\n-b\n-c\n-d\n-e\n');
    expect((await api.get(`${path}/diff?from=2&to=2`)).body.fields).toEqual([]);
  });

  it('names a missing line feed at the end', async () => {
    const { api, path } = await aNote({ content: 'a' }, { content: 'a\nb' });
    const { body } = await api.get(`${path}/diff?from=1`).expect(200);
    expect(body.fields[0].diff).toBe(
      '@@ -1,1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n',
    );
  });

  it('includes deletions', async () => {
    const { api, path } = await aNote({ content: 'text\n' });
    await api.delete(path).expect(204);
    const { body } = await api.get(`${path}/diff?from=1`).expect(200);
    expect(body.fields.map(({ field }: { field: string }) => field)).toEqual([
      'deleted',
      'content',
    ]);
  });

  it('is bounded for large notes that differ in every line, and says so', async () => {
    const text = (mark: string) =>
      Array.from({ length: 30_000 }, (_, index) => `${mark} ${index}`).join('\n');
    const { api, path } = await aNote({ content: text('old') }, { content: text('new') });
    const { body } = await api.get(`${path}/diff?from=1`).expect(200);
    const [content] = body.fields;
    expect([content.truncated, content.diff.length]).toEqual([true, 64 * 1024]);
    expect(content.diff.startsWith('@@ -1,30000 +1,30000 @@\n-old 0\n')).toBe(true);
  });

  it('is 404 for unknown notes and versions, 403 for foreign ones, 400 for bad parameters', async () => {
    const { api, path } = await aNote({ content: 'text' });
    await api.get(`${path}/diff?from=7`).expect(404);
    await api.get(`${path}/diff?from=1&to=7`).expect(404);
    await api.get(`/api/notes/${aNoteId()}/diff?from=1`).expect(404);
    expect((await world.as(anAgent()).get(`${path}/diff?from=1`).expect(403)).body.code).toBe(
      'cross_company',
    );
    for (const query of ['', '?from=0', '?from=x', '?from=1&context=21']) {
      await api.get(`${path}/diff${query}`).expect(400);
    }
  });
});
