import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type CompanyId, type NoteSummary } from '@commonplace/contracts';
import { grant, operatorCaller } from '@commonplace/testkit';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { storeNotes, type StoredNote } from '../stored-notes.ts';

let world: NotesWorld;

beforeAll(async () => {
  world = await createNotesWorld();
});

afterAll(() => world.close());

const store = (company: CompanyId, notes: readonly StoredNote[]) =>
  storeNotes(world.database.adminUrl, company, notes);

type Page = { items: (NoteSummary & { content?: string })[]; nextCursor: string | null };

const list = async (company: CompanyId, query = ''): Promise<Page> => {
  const response = await world.as(anAgent(company)).get(`/api/notes?${query}`).expect(200);
  return response.body as Page;
};

const titles = async (company: CompanyId, query: string): Promise<string[]> =>
  (await list(company, query)).items.map(({ title }) => title);

/** Follows the cursors to the end. */
const everyTitle = async (company: CompanyId, query: string): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await list(company, `${query}${cursor ? `&cursor=${cursor}` : ''}`);
    found.push(...page.items.map(({ title }) => title));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
};

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

describe('a list', () => {
  it('of a company without notes is empty', async () => {
    expect(await list(aCompany())).toEqual({ items: [], nextCursor: null });
  });

  it('shows the last changed first, without content, and nothing of another company', async () => {
    const company = aCompany();
    await store(company, [
      { title: 'old', content: 'text', updatedAt: day(1) },
      { title: 'new', updatedAt: day(2) },
    ]);
    await store(aCompany(), [{ title: 'foreign' }]);
    const { items } = await list(company);
    expect(items.map(({ title }) => title)).toEqual(['new', 'old']);
    expect(items[1]).toMatchObject({ companyId: company, size: 4, snippet: 'text' });
    expect(items[1]).not.toHaveProperty('content');
  });

  it('includes the content on request', async () => {
    const company = aCompany();
    await store(company, [{ content: 'all of it' }, { content: 'gone', deletedAt: day(3) }]);
    const { items } = await list(company, 'view=full&deleted=include&sort=createdAt');
    const contents = new Map(items.map(({ deletedAt, content }) => [deletedAt !== null, content]));
    expect(contents.get(false)).toBe('all of it');
    expect(contents.has(true)).toBe(true);
    expect(contents.get(true)).toBeUndefined();
  });

  it.each([
    ['sort=updatedAt&order=asc', ['b', 'c', 'a', 'd']],
    ['sort=createdAt&order=desc', ['d', 'c', 'b', 'a']],
    ['sort=title', ['d', 'c', 'b', 'a']],
    ['sort=title&order=asc', ['a', 'b', 'c', 'd']],
  ])('is ordered by %s, and pages of one note find every note once', async (query, expected) => {
    const company = aCompany();
    await store(company, [
      { title: 'a', createdAt: day(1), updatedAt: day(9) },
      { title: 'b', createdAt: day(2), updatedAt: day(7) },
      { title: 'c', createdAt: day(3), updatedAt: day(8) },
      { title: 'd', createdAt: day(4), updatedAt: day(10) },
    ]);
    expect(await titles(company, query)).toEqual(expected);
    expect(await everyTitle(company, `${query}&limit=1`)).toEqual(expected);
  });

  it('pages through notes of one and the same moment and title', async () => {
    const company = aCompany();
    const ids = await store(
      company,
      Array.from({ length: 7 }, () => ({ title: 'same' })),
    );
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await list(company, `sort=title&limit=3${cursor}`);
      seen.push(...page.items.map(({ id }) => id));
      if (page.nextCursor === null) {
        break;
      }
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(seen).toEqual(ids.toSorted().toReversed());
  });

  it('pages by titles of the greatest length', async () => {
    const company = aCompany();
    const long = ['a', 'b', 'c'].map((end) => '𝕏'.repeat(499) + end);
    await store(
      company,
      long.map((title) => ({ title })),
    );
    expect(await everyTitle(company, 'sort=title&order=asc&limit=1')).toEqual(long);
  });

  it('ends a page of full notes before it grows beyond bounds', async () => {
    const company = aCompany();
    const content = 'x'.repeat(512 * 1024);
    await store(
      company,
      Array.from({ length: 10 }, () => ({ content })),
    );
    const page = await list(company, 'view=full');
    expect(page.items).toHaveLength(8);
    expect(await everyTitle(company, 'view=full')).toHaveLength(10);
  });
});

describe('a filter', () => {
  const company = aCompany();
  const author = newId();
  const original = newId();
  beforeAll(() =>
    store(company, [
      { title: 'plain' },
      { title: 'red', tags: ['red'], folder: 'work' },
      { title: 'red and blue', tags: ['blue', 'red'], folder: 'work/2026' },
      { title: 'neighbour', folder: 'work-shop' },
      { title: 'percent', folder: 'w%' },
      { title: 'pinned', pinned: true },
      { title: 'archived', archived: true },
      { title: 'written', authorId: author },
      { title: 'copy', conflictOf: original },
      { title: 'gone', tags: ['red'], deletedAt: day(2) },
      { title: 'recent', updatedAt: day(28), createdAt: '2025-01-01T00:00:00.000Z' },
    ]).then(() => store(aCompany(), [{ title: 'foreign', tags: ['red'], folder: 'work' }])),
  );

  it.each([
    ['tag=red', ['red', 'red and blue']],
    ['tag=red&tag=blue', ['red and blue']],
    ['tag=RED', []],
    ['folder=work', ['red', 'red and blue']],
    ['folder=work/2026', ['red and blue']],
    ['folder=w%25', ['percent']],
    ['folder=wor', []],
    ['pinned=true', ['pinned']],
    ['archived=true', ['archived']],
    [`author=${author}`, ['written']],
    [`author=${author.toUpperCase()}`, ['written']],
    ['conflicts=only', ['copy']],
    ['deleted=only', ['gone']],
    ['deleted=include&tag=red', ['gone', 'red', 'red and blue']],
    ['updatedSince=2026-03-01T12:00:00.001Z', []],
    ['tag=red&folder=work&pinned=false&sort=title', ['red', 'red and blue']],
  ])('%s leaves exactly what matches', async (query, expected) => {
    expect((await titles(company, query)).toSorted()).toEqual(expected);
  });

  it('pinned=false and archived=false leave out what is', async () => {
    expect(await titles(company, 'pinned=false')).not.toContain('pinned');
    expect(await titles(company, 'archived=false')).not.toContain('archived');
  });

  it('tag= that a thousand notes have finds every one of them once', async () => {
    const tagged = aCompany();
    await store(
      tagged,
      Array.from({ length: 1_050 }, (_, index) => ({ title: `${index}`, tags: ['todo'] })),
    );
    await store(tagged, [{ title: 'untagged' }]);
    const found = await everyTitle(tagged, 'tag=todo&limit=200&sort=title');
    expect(new Set(found).size).toBe(1_050);
    expect(found).toHaveLength(1_050);
  });

  it('an empty folder= lists all notes', async () => {
    expect(await titles(company, 'folder=')).toHaveLength(10);
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=x',
    'sort=size',
    'order=up',
    'pinned=1',
    'tag=',
    'author=me',
    'author=------------------------------------',
    'updatedSince=yesterday',
    'deleted=yes',
    'conflicts=all',
    'folder=/a',
    'q=',
    'q=%00',
    'q=%FF',
    'unknown=1',
    'pinned=true&pinned=true',
    'updatedSince=0000-01-01T00:00:00.000Z',
  ])('%s is 400', async (query) => {
    await world.as(anAgent(company)).get(`/api/notes?${query}`).expect(400);
  });

  it('of another query makes a cursor useless, and so does another position in it', async () => {
    const { nextCursor } = await list(company, 'limit=1');
    const forged = (after: unknown) => {
      const content = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString()) as object;
      return Buffer.from(JSON.stringify({ ...content, after })).toString('base64url');
    };
    for (const query of [
      `limit=1&tag=red&cursor=${nextCursor}`,
      `limit=1&cursor=${forged(['not a time', newId()])}`,
      `limit=1&cursor=${forged(['\u0000', newId()])}`,
      `limit=1&cursor=${forged([day(1), 'no id'])}`,
    ]) {
      await world.as(anAgent(company)).get(`/api/notes?${query}`).expect(400);
    }
  });
});

describe('a search', () => {
  const company = aCompany();
  beforeAll(() =>
    store(company, [
      { title: 'often', content: 'apple apple apple' },
      { title: 'once', content: 'apple pie' },
      { title: 'reverse', content: 'pie apple', tags: ['red'] },
      { title: 'other', content: 'pear' },
      { title: 'gone', content: 'apple', deletedAt: day(2) },
    ]).then(() => store(aCompany(), [{ title: 'foreign', content: 'apple' }])),
  );

  it.each([
    ['q=apple', ['often', 'once', 'reverse']],
    ['q=%22apple+pie%22', ['once']],
    ['q=apple+-pie', ['often']],
    ['q=pear+or+%22pie+apple%22', ['other', 'reverse']],
    ['q=apple&tag=red', ['reverse']],
    ['q=%22%27%28%26%7C%21%3A*', []],
    ['q=nothing', []],
  ])('%s finds what matches', async (query, expected) => {
    expect((await titles(company, query)).toSorted()).toEqual(expected);
  });

  it('with too many matches to rank them shows the last changed first, on every page', async () => {
    const crowded = aCompany();
    await store(
      crowded,
      [
        { title: 'last', content: 'word', updatedAt: day(30) },
        { title: 'best', content: 'word word word', updatedAt: day(29) },
        ...Array.from({ length: 5_000 }, () => ({ title: 'some', content: 'word' })),
      ].map((note) => ({ updatedAt: day(1), ...note })),
    );
    const first = await list(crowded, 'q=word&limit=1');
    expect(first.items[0]?.title).toBe('last');
    const second = await list(crowded, `q=word&limit=1&cursor=${first.nextCursor}`);
    expect(second.items[0]?.title).toBe('best');
  });

  it('puts the best match first, and pages by rank find every note once', async () => {
    const all = await titles(company, 'q=apple');
    expect(all[0]).toBe('often');
    expect(await everyTitle(company, 'q=apple&limit=1')).toEqual(all);
  });
});

describe('the entity tag of a list', () => {
  it('gives 304 until something changes, and is bound to company and query', async () => {
    const company = aCompany();
    await store(company, [{ title: 'one' }]);
    const agent = world.as(anAgent(company));
    const { headers } = await agent.get('/api/notes?limit=5').expect(200);
    const etag = headers['etag'] ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers['vary']).toBe('Authorization, Cookie, X-Company-Id');

    const unchanged = await agent.get('/api/notes?limit=5').set('If-None-Match', etag).expect(304);
    expect(unchanged.headers['etag']).toBe(etag);
    await agent.get('/api/notes?limit=6').set('If-None-Match', etag).expect(200);
    await world.as(anAgent()).get('/api/notes?limit=5').set('If-None-Match', etag).expect(200);

    await store(company, [{ title: 'two' }]);
    await agent.get('/api/notes?limit=5').set('If-None-Match', etag).expect(200);
  });
});

describe('a caller', () => {
  it('who is a viewer may list; who belongs to several companies names one', async () => {
    const [first, second] = [aCompany(), aCompany()];
    await world
      .as(operatorCaller({ companies: [grant(first, 'viewer')] }))
      .get('/api/notes')
      .expect(200);
    await world
      .as(operatorCaller({ companies: [grant(first), grant(second)] }))
      .get('/api/notes')
      .expect(400);
    await world
      .as(operatorCaller({ selectedCompanyId: second, companies: [grant(first)] }))
      .get('/api/notes')
      .expect(403);
  });
});
