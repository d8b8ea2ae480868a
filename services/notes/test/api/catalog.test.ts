import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { read } from '@commonplace/db';
import fc from 'fast-check';
import pg from 'pg';
import type { Deps } from '../../src/deps.ts';
import { backfillCatalogs } from '../../src/maintenance/backfills.ts';
import { listCatalogsToBackfill } from '../../src/queries/catalog.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { storeNotes } from '../stored-notes.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
let agent: ReturnType<typeof anAgent>;
beforeAll(async () => {
  world = await createNotesWorld({ instances: 2 });
});
afterAll(() => world.close());

const get = async (path: string, instance = 1) => {
  const { body } = await world.as(agent, instance).get(path).expect(200);
  return body;
};
const put = async (note: object, id = aNoteId()) => {
  await world.as(agent).put(`/api/notes/${id}`).send(note);
  return id;
};
const remove = (id: string) => world.as(agent).delete(`/api/notes/${id}`).expect(204);

describe('folders and tags', () => {
  beforeAll(async () => {
    agent = anAgent();
  });

  it('are counted as notes come, move, change and go', async () => {
    const one = await put({ folder: 'a', tags: ['x', 'y'] });
    const two = await put({ folder: 'a/b', tags: ['x'] });
    await put({});
    expect((await get('/api/notes/folders')).items).toEqual([
      { folder: '', notes: 1 },
      { folder: 'a', notes: 1 },
      { folder: 'a/b', notes: 1 },
    ]);
    expect((await get('/api/notes/tags')).items).toEqual([
      { tag: 'x', notes: 2 },
      { tag: 'y', notes: 1 },
    ]);
    await put({ folder: 'a/b', tags: ['x'] }, one);
    expect(await get('/api/notes/folders?folder=a')).toEqual({
      items: [{ folder: 'a/b', notes: 2 }],
      nextCursor: null,
      isComplete: true,
    });
    expect((await get('/api/notes/tags')).items).toEqual([{ tag: 'x', notes: 2 }]);
    await remove(two);
    expect((await get('/api/notes/tags')).items).toEqual([{ tag: 'x', notes: 1 }]);
    await world.as(agent).post(`/api/notes/${two}/restore`).send({}).expect(200);
    expect((await get('/api/notes/tags')).items).toEqual([{ tag: 'x', notes: 2 }]);
  });

  it('are listed page by page in byte order, a folder with its subfolders and nothing beside', async () => {
    agent = anAgent();
    const folders = ['p', 'p-q', 'p/a', 'p/a/b', 'p/é', 'p0', 'pp'];
    await syncClient(world, agent).push(
      ...folders.map((folder) => putOf({ folder, tags: [folder] })),
    );
    const listed: string[] = [];
    let cursor = '';
    do {
      const page = await get(`/api/notes/folders?folder=p&limit=1${cursor}`);
      listed.push(...page.items.map(({ folder }: { folder: string }) => folder));
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    } while (cursor !== '');
    expect(listed).toEqual(['p', 'p/a', 'p/a/b', 'p/é']);
    const { items } = await get('/api/notes/tags?prefix=p/a');
    expect(items).toEqual([
      { tag: 'p/a', notes: 1 },
      { tag: 'p/a/b', notes: 1 },
    ]);
  });

  it('are right whatever happens at once on several instances', async () => {
    agent = anAgent();
    const ids = Array.from({ length: 8 }, () => aNoteId());
    await Promise.all(
      Array.from({ length: 80 }, async (_, index) => {
        const id = ids[index % ids.length] ?? aNoteId();
        const path = `/api/notes/${id}`;
        const as = world.as(agent, index);
        await (index % 7 === 3 ? as.delete(path) : as.put(path).send({ tags: [`t${index % 3}`] }));
        await world
          .as(agent, index + 1)
          .get('/api/notes/tags')
          .expect(200);
      }),
    );
    const { body } = await world.as(agent).get('/api/notes?limit=200').expect(200);
    const expected = new Map<string, number>();
    for (const { tags } of body.items as { tags: string[] }[]) {
      tags.forEach((tag) => expected.set(tag, (expected.get(tag) ?? 0) + 1));
    }
    const { items } = await get('/api/notes/tags');
    expect(
      new Map(items.map(({ tag, notes }: { tag: string; notes: number }) => [tag, notes])),
    ).toEqual(expected);
  });
});

describe('links', () => {
  beforeAll(() => {
    agent = anAgent();
  });

  it('lead to the newest note of a title, follow titles that come and go, and show where they stand', async () => {
    const source = await put({
      title: 'Source',
      content: 'Before [[the PLAN]] after, [[Nowhere]]',
    });
    const links = async () => (await get(`/api/notes/${source}/links`)).links;
    const unresolved = { target: null, title: 'Nowhere', resolved: false };
    expect(await links()).toEqual([
      { target: null, title: 'the PLAN', resolved: false },
      unresolved,
    ]);
    const old = await put({ title: 'The plan' });
    expect((await links())[0]).toEqual({ target: old, title: 'The plan', resolved: true });
    const newer = await put({ title: 'the Plan' });
    expect((await links())[0]).toEqual({ target: newer, title: 'the Plan', resolved: true });
    expect((await get(`/api/notes/${old}/links`)).backlinks).toEqual([]);
    expect((await get(`/api/notes/${newer}/links`)).backlinks).toEqual([
      { id: source, title: 'Source', snippet: 'Before [[the PLAN]] after, [[Nowhere]]' },
    ]);
    await put({ title: 'Another name' }, newer);
    expect((await links())[0]).toMatchObject({ target: old });
    await remove(old);
    expect((await links())[0]).toEqual({ target: null, title: 'the PLAN', resolved: false });
  });

  it('lead to the note of the same folder first, and backlinks and renames follow', async () => {
    agent = anAgent();
    const content = '[[Plan]]';
    const inA = await put({ title: 'Plan', folder: 'a' });
    const fromA = await put({ title: 'From a', folder: 'a', content });
    const fromBelow = await put({ title: 'From below', folder: 'a/b', content });
    const older = await put({ title: 'plan', folder: 'x' });
    const newest = await put({ title: 'PLAN', folder: 'x' });
    const fromX = await put({ title: 'From x', folder: 'x', content });
    const targetOf = async (id: string) =>
      (await get(`/api/notes/${id}/links`)).links.map(({ target }: { target: string }) => target);
    const backlinksOf = async (id: string) =>
      (await get(`/api/notes/${id}/links`)).backlinks.map((row: { id: string }) => row.id);
    expect(await targetOf(fromA)).toEqual([inA]);
    expect(await targetOf(fromBelow)).toEqual([newest]);
    expect(await targetOf(fromX)).toEqual([newest]);
    expect(await backlinksOf(inA)).toEqual([fromA]);
    expect(await backlinksOf(newest)).toEqual([fromBelow, fromX].toSorted());
    expect(await backlinksOf(older)).toEqual([]);
    const edits = [{ op: 'set', title: 'Other', updateLinks: true }];
    const { body } = await world.as(agent).patch(`/api/notes/${inA}`).send({ edits }).expect(200);
    expect(body).toMatchObject({ changed: { linksUpdated: [fromA] } });
    expect(await targetOf(fromA)).toEqual([inA]);
    await put({ title: 'Plan', folder: 'a/b' }, older);
    expect(await targetOf(fromBelow)).toEqual([older]);
    expect(await backlinksOf(newest)).toEqual([fromX]);
  });

  it('compare titles as reading by folder and title does, in every script', async () => {
    agent = anAgent();
    const isLinkable = (title: string) => /^[^\p{C}[\]|]{1,100}$/u.test(title) && isSpaced(title);
    const isSpaced = (title: string) => title.replaceAll(/\s+/gu, ' ').trim() === title;
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(isLinkable);
    const titles = ['Straße', 'ΟΔΟΣ', 'İstanbul', 'ﬁle', 'a'.repeat(99), ...fc.sample(words, 60)];
    const spellings = titles.flatMap((title) => [
      title.toUpperCase(),
      title.toLowerCase(),
      title.normalize('NFD'),
    ]);
    await syncClient(world, agent).push(...titles.map((title) => putOf({ title })));
    for (const spelling of spellings.filter(isLinkable)) {
      const source = await put({ title: '', content: `[[${spelling}]]` });
      const [link] = (await get(`/api/notes/${source}/links`)).links;
      const { status } = await world.as(agent).get('/api/notes/by-path').query({ title: spelling });
      // 409: several notes of the title, of which the link takes the newest.
      expect([spelling, link.resolved]).toEqual([spelling, status !== 404]);
    }
  });

  it('of several spellings of a title are one', async () => {
    agent = anAgent();
    const source = await put({ content: '[[Straße]] [[STRASSE]] [[strasse|again]] [[other]]' });
    const { links } = await get(`/api/notes/${source}/links`);
    expect(links.map(({ title }: { title: string }) => title)).toEqual(['Straße', 'other']);
  });

  it('by id lead to the note under any title, and nowhere once it is deleted', async () => {
    const target = await put({ title: 'T1' });
    const source = await put({ title: 'S', content: `[t](/notes/${target})` });
    await put({ title: 'T2' }, target);
    expect((await get(`/api/notes/${source}/links`)).links).toEqual([
      { target, title: 'T2', resolved: true },
    ]);
    await put({ title: 'S', content: 'no more' }, source);
    expect((await get(`/api/notes/${target}/links`)).backlinks).toEqual([]);
    await put({ title: 'S', content: `[[${target}]]` }, source);
    await remove(target);
    expect((await get(`/api/notes/${source}/links`)).links).toEqual([
      { target: null, title: target, resolved: false },
    ]);
    await world.as(agent).get(`/api/notes/${target}/links`).expect(404);
  });

  it('never lead to a note of another company', async () => {
    const theirs = await put({ title: 'Secret title' });
    const other = anAgent();
    const id = aNoteId();
    const content = `[[${theirs}]] [[Secret title]]`;
    await world.as(other).put(`/api/notes/${id}`).send({ content }).expect(201);
    const { body } = await world.as(other).get(`/api/notes/${id}/links`).expect(200);
    expect(body.links).toEqual([
      { target: null, title: theirs, resolved: false },
      { target: null, title: 'Secret title', resolved: false },
    ]);
    expect((await get(`/api/notes/${theirs}/links`)).backlinks).toEqual([]);
    await world.as(other).get(`/api/notes/${theirs}/links`).expect(403);
  });

  it('are listed page by page, both ways', async () => {
    agent = anAgent();
    const hub = await put({
      title: 'Hub',
      content: Array.from({ length: 5 }, (_, index) => `[[n${index}]]`).join('\n'),
    });
    const sources = Array.from({ length: 3 }, () => putOf({ content: '[[hub]] [[Hub|again]]' }));
    await syncClient(world, agent).push(...sources);
    const links: string[] = [];
    const backlinks: string[] = [];
    let cursor = '';
    do {
      const page = await get(`/api/notes/${hub}/links?limit=2${cursor}`);
      links.push(...page.links.map(({ title }: { title: string }) => title));
      backlinks.push(...page.backlinks.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    } while (cursor !== '');
    expect(links).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    expect(backlinks).toEqual(sources.map(({ id }) => id).toSorted());
  });
});

describe('notes from before the catalog', () => {
  it('are added in the background, and the changes that are left are counted', async () => {
    agent = anAgent();
    const old = Array.from({ length: 600 }, (_, index) => ({
      title: `Old ${index}`,
      folder: 'old',
    }));
    await storeNotes(world.database.adminUrl, agent.companyId, old);
    const deps = world.deps[0] as Deps;
    const pending = async () => {
      const companies = await read(deps.db, 'global', listCatalogsToBackfill);
      return companies.find(({ companyId }) => companyId === agent.companyId)?.pending ?? 0;
    };
    expect(await pending()).toBe(600);
    const stopping = new AbortController();
    const filling = backfillCatalogs(deps, stopping.signal);
    for (let left = 600; left > 0;) {
      left = await pending();
    }
    stopping.abort();
    await filling;
    const { items, isComplete } = await get('/api/notes/folders');
    expect([items, isComplete]).toEqual([[{ folder: 'old', notes: 600 }], true]);
  });

  it('are added on demand, also while others change', async () => {
    agent = anAgent();
    const old = Array.from({ length: 1_200 }, (_, index) => ({
      title: `Old ${index}`,
      content: '[[Hub]]',
      folder: `f${index % 3}`,
    }));
    const ids = await storeNotes(world.database.adminUrl, agent.companyId, old);
    const hub = await put({ title: 'Hub' });
    await remove(ids[0] ?? '');
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    await admin.query('delete from notes.catalog_progress where company_id = $1', [
      agent.companyId,
    ]);
    await admin.end();
    let page = await get('/api/notes/folders');
    while (!page.isComplete) {
      page = await get('/api/notes/folders');
    }
    expect(page.items).toEqual([
      { folder: '', notes: 1 },
      { folder: 'f0', notes: 399 },
      { folder: 'f1', notes: 400 },
      { folder: 'f2', notes: 400 },
    ]);
    const { backlinks, nextCursor } = await get(`/api/notes/${hub}/links?limit=200`);
    expect([backlinks.length, typeof nextCursor]).toEqual([200, 'string']);
  });
});
