import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompanyId, NoteGrant } from '@commonplace/contracts';
import { read, type CompanyTx } from '@commonplace/db';
import type { Deps } from '../../src/deps.ts';
import { sampleVisibleNotes } from '../../src/queries/visible-sample.ts';
import { makeStatistics } from '../../src/search/make-statistics.ts';
import { termPrefix } from '../../src/search/text/search-document.ts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

const grants: readonly NoteGrant[] = [{ folder: 'a', scope: 'read', mode: 'direct' }];
const [alone, crowded, buried] = [aCompany(), aCompany(), aCompany()];
const visible = 2_300;
const hiddenMany = 1_000;

let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld();
  const seen = Array.from({ length: visible }, (_, index) => ({
    title: `Day ${index}`,
    content: index < 3 ? `tide ferry harbour ${'needle '.repeat(index + 1)}` : contentOf(index),
    folder: index % 2 === 0 ? 'a' : 'a/b',
  }));
  // What is frequent here is rare there, and the other way round.
  const hidden = Array.from({ length: hiddenMany }, (_, index) => ({
    title: `Secret ${index}`,
    content: index % 100 === 0 ? 'tide ferry needle zeppelin' : 'needle zeppelin',
    folder: index % 2 === 0 ? 'x' : 'ab',
  }));
  const half = hiddenMany / 2;
  await fill(alone, seen);
  // At both ends every other note is hidden.
  await fill(crowded, [
    ...hidden.slice(0, half).flatMap((note, index) => [note, seen[index] ?? note]),
    ...seen.slice(half, -half),
    ...hidden.slice(half).flatMap((note, index) => [note, seen.at(index - half) ?? note]),
  ]);
  await fill(buried, [...seen.slice(0, 1_100), ...hidden, ...hidden.slice(0, 100)]);
}, 120_000);
afterAll(() => world.close());

/** The last notes are of a week in which all have one more word. */
const contentOf = (index: number): string =>
  index < visible - 200 ? 'tide ferry harbour' : 'tide ferry harbour standup';

const fill = async (company: CompanyId, notes: readonly object[]): Promise<void> => {
  const client = syncClient(world, anAgent(company));
  for (let at = 0; at < notes.length; at += 500) {
    await client.push(...notes.slice(at, at + 500).map((note) => putOf(note)));
  }
  await world.deps[0]?.search.indexPendingNotes(company);
  const reader = world.as(anAgent(company));
  await reader.get('/api/notes/folders').expect(200);
  await makeStatistics((world.deps[0] as Deps).db, company);
};

type Item = {
  readonly title: string;
  readonly folder: string;
  readonly rank?: number;
  readonly explanation?: unknown;
};

const search = async (company: CompanyId, query: string): Promise<readonly Item[]> => {
  const caller = { ...anAgent(company), grants };
  const { body } = await world.as(caller).get(`/api/notes?${query}`).expect(200);
  return (body as { items: Item[] }).items.map(({ title, folder, rank, explanation }) => ({
    title,
    folder,
    // Of the other ways of matching, time is a part.
    ...(query.includes('best') ? { rank } : {}),
    explanation,
  }));
};

/** Runs statements as those of a request of such a caller. */
const asCaller = <Result>(
  companyId: CompanyId,
  query: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => read((world.deps[0] as Deps).db, { companyId, folders: ['a/'] }, query);

const queryOf = (company: CompanyId, word: string) => `'${termPrefix(company)}${word}'`;

const sample = (company: CompanyId, words: readonly string[]) =>
  asCaller(company, (tx) =>
    sampleVisibleNotes(
      tx,
      words.map((word) => queryOf(company, word)),
    ),
  );

describe('a caller of some of many notes', () => {
  it('has words counted in the notes that it sees alone', async () => {
    const words = ['tide', 'zeppelin', 'standup'];
    const expected = {
      notes: visible,
      sampled: 100,
      hits: [100, 0, 50],
      hitsLeast: [100, 0, 0],
    };
    expect(await sample(crowded, words)).toMatchObject(expected);
    expect(await sample(crowded, words)).toEqual(await sample(alone, words));
  });

  it('has no sample where its notes are behind very many others', async () => {
    expect(await sample(buried, ['tide'])).toBeNull();
    const items = await search(buried, 'q=tide%20ferry&match=best&limit=100');
    expect(items.filter(({ folder }) => ['a', 'a/b'].includes(folder))).toHaveLength(100);
  });

  it.each([
    'q=what%20of%20the%20needle%20and%20the%20tide&match=best&limit=3&explain=true',
    'q=needle&match=best&explain=true',
    'q=zeppelin&match=best&explain=true',
    'q=zeppelin%20needle&match=best&explain=true',
    'q=needle',
    'q=zepp&match=prefix',
  ])('finds and ranks by %s what it would without the others', async (query) => {
    expect(await search(crowded, query)).toEqual(await search(alone, query));
  });

  it.each([
    ['frequent words', 'q=tide%20ferry%20harbour&match=best&limit=100'],
    ['a word of most notes', 'q=tide&limit=100'],
    ['the beginning of one', 'q=tid&match=prefix&limit=100'],
  ])('finds by %s a page of its notes and no others', async (_, query) => {
    const items = await search(crowded, query);
    expect(items).toHaveLength(100);
    expect(items.filter(({ folder }) => !['a', 'a/b'].includes(folder))).toEqual([]);
  });
});

it('frequent words looked for in the first notes find visible ones', async () => {
  const find = (looked: number) =>
    asCaller(crowded, async (tx) => {
      const found = await tx.query<{ id: string }>(
        'select m.id from notes.match_frequent($1::tsquery, $2, 100, 200) as m (id)',
        [queryOf(crowded, 'tide'), looked],
      );
      const ids = found.map(({ id }) => id);
      const seen = await tx.query<{ id: string }>(
        'select n.id from notes.notes n where n.company_id = $1 and n.id = any ($2::uuid[])',
        [crowded, ids],
      );
      return { ids, seen: seen.map(({ id }) => id) };
    });
  for (const looked of [0, 240]) {
    const { ids, seen } = await find(looked);
    expect(ids).toHaveLength(200);
    // The policy hides the others.
    expect(seen.toSorted()).toEqual(ids.toSorted());
  }
});
