import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { CompanyId, ListedNote } from '@commonplace/contracts';
import fc from 'fast-check';
import pg from 'pg';
import type { Deps } from '../../src/deps.ts';
import { makeStatistics } from '../../src/search/make-statistics.ts';
import { bytesReadDuring } from '../bytes-read.ts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
});
afterAll(() => world.close());

type Fields = Readonly<Record<string, unknown>>;

/** A company with these notes. */
const companyWith = async (...notes: readonly Fields[]): Promise<CompanyId> => {
  const company = aCompany();
  await syncClient(world, anAgent(company)).push(...notes.map((note) => putOf(note)));
  return company;
};

/** What a search finds; without what it falls back to where no note has all words. */
const search = async (company: CompanyId, q: string, more = ''): Promise<ListedNote[]> => {
  const path = `/api/notes?q=${encodeURIComponent(q)}${more}`;
  const { body } = await world.as(anAgent(company)).get(path).expect(200);
  const isWanted = body.matched === 'all' || more.includes('match=best');
  return isWanted ? (body.items as ListedNote[]) : [];
};

const titles = async (company: CompanyId, q: string, more = ''): Promise<string[]> =>
  (await search(company, q, more)).map(({ title }) => title);

describe('a search finds', () => {
  let company: CompanyId;
  beforeAll(async () => {
    company = await companyWith(
      { title: 'kettle', content: 'It boils over. Certificates expired.' },
      { title: 'lisbon', content: 'The café beside Müller opens at seven.' },
      { title: 'häuser', content: 'Zwölf Häuser werden vermietet, Straße gesperrt.' },
      { title: 'chevaux', content: 'Le client élève des chevaux, l’eau est coupée.' },
      { title: 'копии', content: 'Резервные копии создаются ночью, отчёт готов.' },
      { title: 'tokyo', content: '東京都の会議室を三日間予約した。' },
      { title: 'shuju', content: '数据库连接池耗尽，请求超时。' },
      { title: 'thai', content: 'ระบบสำรองฐานข้อมูลทุกคืน' },
      {
        title: 'code',
        content: 'Reads `file_name`, calls parseUploadRequest and HTTPServer v2.0.10.',
      },
      { title: 'place', folder: 'Runbooks/Database', tags: ['on-call'], content: '' },
    );
  });

  it.each([
    ['boil', 'kettle'],
    ['certificate expiring', 'kettle'],
    ['cafe', 'lisbon'],
    ['CAFÉ muller', 'lisbon'],
    ['haus', 'häuser'],
    ['strasse', 'häuser'],
    ['cheval', 'chevaux'],
    ['eau', 'chevaux'],
    ['резервная копия', 'копии'],
    ['отчет', 'копии'],
    ['東京', 'tokyo'],
    ['会議室の予約', 'tokyo'],
    ['室', 'tokyo'],
    ['连接池', 'shuju'],
    ['ฐานข้อมูล', 'thai'],
    ['fileName', 'code'],
    ['file-name', 'code'],
    ['filename', 'code'],
    ['file name', 'code'],
    ['upload request', 'code'],
    ['server', 'code'],
    ['v2.0.10', 'code'],
    ['runbook', 'place'],
    ['databases', 'place'],
    ['on-call', 'place'],
  ])('%s in the note %s', async (q, title) => {
    expect(await titles(company, q)).toEqual([title]);
  });

  it.each([
    ['"boils over"', ['kettle']],
    ['"over boils"', []],
    ['"boil over"', []],
    ['"会議室を"', ['tokyo']],
    ['"会議予約"', []],
    ['boils -certificates', []],
    ['boils -"over boils"', ['kettle']],
    ['cafe or zwölf', ['häuser', 'lisbon']],
    ['-boils -cafe -haus -client -готов -日間 -池 -ระบบ -calls', ['place']],
  ])('what %s means', async (q, expected) => {
    expect((await titles(company, q)).toSorted()).toEqual(expected.toSorted());
  });

  it.each([
    ['ketle', 'kettle'],
    ['certifcates', 'kettle'],
    ['certifiactes', 'kettle'],
    ['кпоии', 'копии'],
  ])('%s, a typo, in the note %s', async (q, title) => {
    expect(await titles(company, q)).toEqual([title]);
  });

  it('for a typo the word that it was taken for, which the response names', async () => {
    const own = await companyWith({ title: 'pot', content: 'orchids and boiling kettles' });
    const correctionsOf = async (query: string): Promise<unknown> =>
      (await world.as(anAgent(own)).get(`/api/notes?${query}`).expect(200)).body;
    const corrections = [{ word: 'orchyds', replacements: ['orchids'] }];
    expect(await correctionsOf('q=Orchyds+kettles')).toMatchObject({ matched: 'all', corrections });
    expect(await correctionsOf('q=orchyds+geese')).toMatchObject({ matched: 'any', corrections });
    expect(await correctionsOf('q=orchid')).not.toHaveProperty('corrections');
    expect(await correctionsOf('q=geese')).not.toHaveProperty('corrections');
  });

  it('no other word where the word itself is found, and nothing for a short typo', async () => {
    const own = await companyWith(
      { title: 'kettle', content: '' },
      { title: 'nettle', content: '' },
    );
    expect(await titles(own, 'nettle')).toEqual(['nettle']);
    expect(await titles(company, 'zat')).toEqual([]);
  });

  it('the beginning of the last word with match=prefix, and only then', async () => {
    expect(await titles(company, 'kett', '&match=prefix')).toEqual(['kettle']);
    expect(await titles(company, 'kett')).toEqual([]);
    expect(await titles(company, 'boils certif', '&match=prefix')).toEqual(['kettle']);
    expect(await titles(company, 'boi certificates', '&match=prefix')).toEqual([]);
    expect(await titles(company, 'parseUp', '&match=prefix')).toEqual(['code']);
    expect(await titles(company, '東', '&match=prefix')).toEqual(['tokyo']);
    const id = { title: 'id', content: 'a9281736450 and needles' };
    const own = await companyWith(id, { title: 'short', content: 'a9281' });
    expect(await titles(own, 'a92817', '&match=prefix')).toEqual(['id']);
    expect((await titles(own, 'a928', '&match=prefix')).toSorted()).toEqual(['id', 'short']);
    expect(await titles(own, 'and need', '&match=prefix')).toEqual(['id']);
  });

  it('nothing of another company, by word, prefix or typo', async () => {
    const other = await companyWith({ title: 'secret', content: 'zephyranthes' });
    expect(await titles(other, 'zephyranthes')).toEqual(['secret']);
    for (const [q, more] of [
      ['zephyranthes', ''],
      ['zephyr', '&match=prefix'],
      ['zephyrantes', ''],
      ['"zephyranthes"', ''],
    ] as const) {
      expect(await titles(company, q, more)).toEqual([]);
    }
  });
});

describe('a phrase', () => {
  const filler = (words: number) =>
    Array.from({ length: words }, (_, index) => `word${index % 7_000}`).join(' ');

  it('is found beyond the positions PostgreSQL keeps, and its words in another order are not', async () => {
    const company = await companyWith({
      title: 'long',
      content: `${filler(20_000)} the amber heron sleeps ${filler(500)}`,
    });
    expect(await titles(company, '"amber heron sleeps"')).toEqual(['long']);
    expect(await titles(company, '"heron amber"')).toEqual([]);
  });

  it('in a script without spaces is found there too, also while it is typed', async () => {
    const company = await companyWith({
      title: 'long',
      content: `${filler(20_000)} 東京の会議室を予約した ${filler(500)}`,
    });
    for (const match of ['', '&match=prefix']) {
      expect(await titles(company, '会議室', match)).toEqual(['long']);
      expect(await titles(company, '"会議室を予約"', match)).toEqual(['long']);
    }
  });

  it('of a word that is too frequent for its positions to be kept is found', async () => {
    const company = await companyWith({
      title: 'often',
      content: `${'the end of it '.repeat(400)} the heron`,
    });
    expect(await titles(company, '"the heron"')).toEqual(['often']);
  });

  it('in a note of nothing but different words is never missed', async () => {
    const letters = (index: number) =>
      index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
    const words = Array.from({ length: 60_000 }, (_, index) => `a${letters(index + 30_000)}`);
    const content = words.join(' ').slice(0, 480_000);
    const company = await companyWith({ title: 'different', content });
    const [first, second] = words.slice(1_000);
    expect(await titles(company, `"${first} ${second}"`)).toEqual(['different']);
  });
});

describe('the results of a search', () => {
  it('come by rank: title before tags and folder before content, exact words before other forms', async () => {
    const company = await companyWith(
      { title: 'a', content: 'something about boils and more' },
      { title: 'b', content: 'something about boil and more' },
      { title: 'c', folder: 'boil', content: 'something' },
      { title: 'boil', content: 'something' },
    );
    expect(await titles(company, 'boil')).toEqual(['boil', 'c', 'b', 'a']);
  });

  it('have an excerpt around the matches, which are marked in every form', async () => {
    const company = await companyWith({
      title: 'long',
      content: `${'Nothing here. '.repeat(3_000)}\n\nThe **kettle** <b>boils</b> ⟦over⟧.\n${'More. '.repeat(100)}`,
    });
    const [note] = await search(company, 'boil kettle');
    expect(note?.excerpt).toContain('The **⟦kettle⟧** <b>⟦boils⟧</b> [over].');
    expect(note?.excerpt).toMatch(/^….*…$/u);
    expect(note?.excerpt?.length).toBeLessThan(300);
    expect(note?.rank).toBeGreaterThan(0);
  });

  it.each([
    ['東京都の会議室を予約した', '会議室', '東京都の⟦会議室⟧を予約した'],
    ['calls parseUploadRequest now', 'upload request', 'calls parse⟦UploadRequest⟧ now'],
    ['Le café ouvre', 'cafe', 'Le ⟦café⟧ ouvre'],
    ['nothing of it', 'inthetitle', 'nothing of it'],
  ])('mark in %s what matches %s', async (content, q, excerpt) => {
    const company = await companyWith({ title: 'inthetitle', content });
    const [note] = await search(company, q);
    expect(note?.excerpt).toBe(excerpt);
  });

  it('of a list without a query have neither rank nor excerpt, and deleted notes no excerpt', async () => {
    const company = await companyWith({ title: 'one', content: 'heron' });
    const agent = world.as(anAgent(company));
    const { body } = await agent.get('/api/notes').expect(200);
    expect(body.items[0]).not.toHaveProperty('excerpt');
    expect(body.items[0]).not.toHaveProperty('rank');
    await agent.delete(`/api/notes/${body.items[0].id}`).expect(204);
    const [deleted] = await search(company, 'heron', '&deleted=only');
    expect(deleted).toMatchObject({ title: 'one' });
    expect(deleted).not.toHaveProperty('excerpt');
  });

  it('prefer the newer of two equal notes, and pages by rank find each once', async () => {
    const company = await companyWith(
      ...Array.from({ length: 25 }, (_, index) => ({ title: `n${index}`, content: 'heron' })),
    );
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/api/notes?q=heron&limit=4${cursor}`;
      const { body } = await world.as(anAgent(company)).get(path).expect(200);
      seen.push(...(body.items as ListedNote[]).map(({ title }) => title));
      if (body.nextCursor === null) {
        break;
      }
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });
});

describe('any text', () => {
  it('is a query, and any text is a note that can be searched', async () => {
    const company = aCompany();
    const agent = world.as(anAgent(company));
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 });
    const syntax = fc
      .array(
        fc.constantFrom(
          '"',
          '-',
          ' or ',
          ':*',
          "'",
          '\\',
          '&',
          '|',
          '!',
          '<->',
          '(',
          'a',
          '東',
          'ก',
          'é',
          '_',
          ' ',
        ),
        { minLength: 1, maxLength: 60 },
      )
      .map((parts) => parts.join(''));
    const storable = fc.oneof(text, syntax).filter((q) => q.isWellFormed() && !q.includes('\0'));
    await fc.assert(
      fc.asyncProperty(storable, fc.constantFrom('', '&match=prefix'), async (q, match) => {
        await agent.put(`/api/notes/${aNoteId()}`).send({ content: q }).expect(201);
        await agent.get(`/api/notes?limit=2&q=${encodeURIComponent(q)}${match}`).expect(200);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each([
    [
      '250 words',
      Array.from({ length: 250 }, (_, index) => (index + 10).toString(36)[0]).join(' '),
    ],
    ['250 prefixes of a letter', 'a '.repeat(249)],
    ['signs only', '-"( )" !!! :*'],
    ['nothing but or', 'or or or'],
    ['ideographs without an end', '東京'.repeat(250)],
    ['an identifier of many parts', 'aB'.repeat(250)],
    ['phrases of a letter', '"a" '.repeat(120)],
  ])('of %s is accepted', async (_what, q) => {
    const company = await companyWith({ title: 'a', content: `${q} b c d` });
    for (const match of ['', '&match=prefix']) {
      expect((await search(company, q.slice(0, 500), match)).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('a ranked search', () => {
  const best = '&match=best';
  let company: CompanyId;
  beforeAll(async () => {
    company = await companyWith(
      {
        title: 'Flour supplier',
        folder: 'bakery',
        content:
          '# Decision\n\nOn 19 January we moved the flour to Brough.\n\n## Why\n\nThe dough collapsed in the ovens of Canal Street. It was or was not the water.\n',
      },
      {
        title: 'Butter',
        folder: 'bakery',
        content: 'We stay with the dairy. It costs 0.29 a pot.',
      },
      { title: 'Prices', folder: 'office', content: 'Chairs cost 29 and 0 for the rest.' },
      { title: 'Noise', folder: 'office', content: 'The neighbours complained about the fans.' },
    );
  });

  it('finds the notes with any words of a question, the best first, and says where', async () => {
    const found = await search(
      company,
      'When did we decide to move the flour to another supplier?',
      best,
    );
    expect(found[0]).toMatchObject({ title: 'Flour supplier', rank: expect.any(Number) });
    expect(found[0]?.passages?.[0]).toEqual({
      text: 'On 19 January we moved the flour to Brough.',
      fromLine: 3,
      toLine: 3,
      headings: ['Decision'],
    });
    expect(await titles(company, 'why the dough collapses', best)).toEqual(['Flour supplier']);
    expect(await titles(company, 'how loud is it for the neighbours', best)).toEqual(['Noise']);
  });

  it('is what a search for all words falls back to, and then says so', async () => {
    const of = async (q: string, more = '') => {
      const path = `/api/notes?q=${encodeURIComponent(q)}${more}`;
      const { body } = await world.as(anAgent(company)).get(path).expect(200);
      const { items, matched, ranking } = body;
      return { titles: items.map(({ title }: ListedNote) => title), matched, ranking };
    };
    const any = { matched: 'any', ranking: 'lexical' };
    expect(await of('dough supplier')).toEqual({ titles: ['Flour supplier'], matched: 'all' });
    expect(await of('dough xylophone')).toEqual({ titles: ['Flour supplier'], ...any });
    expect(await of('dough xylo', '&match=prefix')).toEqual({ titles: ['Flour supplier'], ...any });
    expect(await of('xylophone quux')).toEqual({ titles: [], ...any });
  });

  it('finds what is beyond the beginning of a long note, and of those after it', async () => {
    const filler = 'nothing of interest here. '.repeat(6_000);
    const mixed = await companyWith(
      { title: 'Journal', content: `${filler}\nzebrafish` },
      { title: 'Short', content: `${filler.slice(0, 6_000)}\nzebrafish` },
      { title: 'Other', content: filler.slice(0, 6_000) },
    );
    const found = await search(mixed, 'zebrafish', best);
    expect(found.map(({ title }) => title)).toEqual(['Short', 'Journal']);
    for (const { passages } of found) {
      expect(passages?.[0]?.text).toContain('zebrafish');
    }
  });

  it('never looks for the words of a phrase that is excluded', async () => {
    const known = await companyWith({ title: 'Deploy', content: 'A known issue.' });
    expect(await titles(known, 'deploy -"known issue"', best)).toEqual([]);
    expect(await titles(known, '"no deploy" -"no issue"', best)).toEqual(['Deploy']);
  });

  it('holds phrases and exclusions, keeps numbers whole, and takes or for a word', async () => {
    expect(await titles(company, '"Canal Street" the dairy', best)).toEqual(['Flour supplier']);
    expect(await titles(company, 'dough dairy -ovens', best)).toEqual(['Butter']);
    expect(await titles(company, '0.29', best)).toEqual(['Butter']);
    expect(await titles(company, '"no such phrase" dairy', best)).toContain('Butter');
    expect((await titles(company, 'dough or dairy', best)).toSorted()).toEqual([
      'Butter',
      'Flour supplier',
    ]);
    expect(await titles(company, '-dough', best)).toHaveLength(3);
  });

  it('passes filters, corrects unknown words, and explains scores', async () => {
    expect(await titles(company, 'flour neighbours', `${best}&folder=office`)).toEqual(['Noise']);
    expect(await titles(company, 'neigbours fens', best)).toEqual(['Noise']);
    expect(await titles(company, 'flour', `${best}&updatedUntil=2020-01-31T00:00:00.000Z`)).toEqual(
      [],
    );
    const [first] = await search(company, 'the flour of Brough', `${best}&explain=true`);
    const words = first?.explanation?.words ?? [];
    expect(words.map(({ word }) => word)).toEqual(['the', 'flour', 'of', 'brough']);
    expect(words[0]?.weight).toBeLessThanOrEqual(0.3);
    expect(words[3]?.weight).toBeGreaterThan(0.3);
    const { score, parts } = first?.explanation ?? { score: 0, parts: { words: 1, nearness: 1 } };
    expect(score).toBeCloseTo(parts.words + parts.nearness);
  });

  it('goes on where a page ended, each note once, and not with other statistics', async () => {
    const many = await companyWith(
      ...Array.from({ length: 70 }, (_, index) => ({
        title: `Note ${index}`,
        content: `${'gull '.repeat(1 + (index % 7))} ${'word '.repeat(index)}`,
      })),
    );
    const agent = anAgent(many);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/api/notes?q=gull%20heron&match=best&limit=30${more}`;
      const { body } = await world.as(agent).get(path).expect(200);
      seen.push(...(body.items as ListedNote[]).map(({ id }) => id));
      cursor = body.nextCursor as string | null;
    }
    expect(new Set(seen).size).toBe(70);
    expect(seen).toHaveLength(70);
    const { body } = await world.as(agent).get('/api/notes?q=gull&match=best&limit=30');
    await makeStatistics((world.deps[0] as Deps).db, many);
    const next = `/api/notes?q=gull&match=best&limit=30&cursor=${body.nextCursor}`;
    await world
      .as(agent)
      .get(next)
      .expect(410, /cursor_expired/);
    expect(await titles(many, 'gull', `${best}&limit=100`)).toHaveLength(70);
    expect(await titles(many, 'gull word', `${best}&limit=100`)).toHaveLength(70);
  });

  it.each([
    ['500 characters of words', Array.from({ length: 120 }, (_, index) => `w${index}`).join(' ')],
    ['function words alone', 'what is it that we do'],
    ['emoji', '\u{1f600}\u{1f680}'],
    ['one letter', 'x'],
    ['a quote without end', '"Canal'],
    ['quotes alone', '""" - "" -" or or'],
    ['one script', '\u6771'.repeat(400)],
    ['a script that grows', '\ufdfa'.repeat(400)],
    ['Thai', '\u0e01'.repeat(450)],
    ['signs', 'a/b:c@'.repeat(60)],
  ])('takes %s', async (_what, q) => {
    for (const match of ['best', 'words', 'prefix']) {
      const path = `/api/notes?match=${match}&q=${encodeURIComponent(q.slice(0, 500))}`;
      await world.as(anAgent(company)).get(path).expect(200);
    }
    const query = q.slice(0, 500);
    await world.as(anAgent(company)).post('/api/context').send({ query }).expect(200);
  });
});

describe('the work for a query', () => {
  const frequent = ['alpha', 'beta', 'gamma', 'delta', 'what', 'is', 'it', 'x', '\u6771\u4eac'];
  const notes = 400;
  let company: CompanyId;
  beforeAll(async () => {
    company = await companyWith(
      ...Array.from({ length: notes }, (_, index) => ({
        title: `Note ${index}`,
        content: `${frequent.join(' ')}\n`.repeat(20),
      })),
    );
    await makeStatistics((world.deps[0] as Deps).db, company);
    await search(company, 'alpha');
  });

  const queries: readonly (readonly [what: string, q: string, isFound: boolean])[] = [
    ['250 words', Array.from({ length: 250 }, (_, i) => 'abcdefghij'[i % 10]).join(' '), false],
    ['124 words of notes', 'alpha beta gamma delta is it '.repeat(17).slice(0, 500), true],
    ['different words', Array.from({ length: 99 }, (_, i) => `w${i + 100}`).join(' '), false],
    ['only frequent words', 'alpha beta gamma delta', true],
    ['only function words', 'what is it', true],
    ['only emoji', '\u{1f600}\u{1f680}\u{1f44d}\u{1f3fd}', false],
    ['one letter', 'x', true],
    ['one ideograph', '\u6771', true],
    ['one script without spaces', '\u6771\u4eac'.repeat(250), false],
    ['one script that folds to more', '\ufdfa'.repeat(500), false],
    ['a quote without end', '"alpha beta', true],
    ['quotes within quotes', '"alpha "beta "gamma "delta', true],
    ['many exclusions', '-q '.repeat(166), true],
  ];
  const ways = ['best', 'words', 'prefix', 'context'] as const;

  it.each(queries)('of %s is bounded, whichever way it comes', async (_what, q, isFound) => {
    const agent = world.as(anAgent(company));
    const [deps] = world.deps as [Deps];
    for (const way of ways) {
      const sent = jest.spyOn(pg.Client.prototype, 'query');
      const { result, bytes } = await bytesReadDuring(deps.db, async () =>
        way === 'context'
          ? agent.post('/api/context').send({ query: q })
          : agent.get(`/api/notes?limit=20&match=${way}&q=${encodeURIComponent(q)}`),
      );
      const statements = sent.mock.calls.length;
      sent.mockRestore();
      expect([way, result.status]).toEqual([way, 200]);
      const { items = [], notes: found = items } = result.body as Record<string, object[]>;
      expect(found.length).toBeLessThanOrEqual(20);
      const least = isFound && way === 'best' ? 20 : 0;
      expect(found.length).toBeGreaterThanOrEqual(least);
      expect([way, statements < 40]).toEqual([way, true]);
      expect([way, bytes < 2 * 1024 * 1024]).toEqual([way, true]);
    }
  });

  it.each([
    ['500 words', 'words '.repeat(500)],
    ['2,000 characters of one script', '\u6771'.repeat(2_000)],
  ])('of %s is refused before it begins', async (_what, query) => {
    const agent = world.as(anAgent(company));
    const context = await agent.post('/api/context').send({ query }).expect(400);
    expect(context.body).toMatchObject({ code: 'validation_failed', errors: [{ path: '/query' }] });
    // A longer address is refused by the server itself, with 431.
    await agent.get(`/api/notes?q=${encodeURIComponent(query.slice(0, 600))}`).expect(400);
  });
});
