import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompanyId } from '@commonplace/contracts';
import { read } from '@commonplace/db';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import pg from 'pg';
import type { Deps } from '../../src/deps.ts';
import { listStatisticsToMake } from '../../src/queries/search-statistics.ts';
import { makeStatistics, notesWithStatisticsMin } from '../../src/search/make-statistics.ts';
import { rebuildPart } from '../../src/search/index-pending-notes.ts';
import { rebuildSearches } from '../../src/maintenance/backfills.ts';
import type { BuildDocuments } from '../../src/search/text/document-thread.ts';
import { aCompany, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { putOf, syncClient } from '../sync-client.ts';

let world: NotesWorld;
let admin: pg.Client;
beforeAll(async () => {
  world = await createNotesWorld();
  admin = new pg.Client({ connectionString: world.database.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Indexes the notes of a company as the release before this one did. */
const indexAsBefore = async (company: CompanyId): Promise<void> => {
  await admin.query('delete from notes.search_words where company_id = $1', [company]);
  await admin.query(
    `insert into notes.note_search (company_id, note_id, document)
     select n.company_id, n.id, notes.search_document(n.title, n.content)
     from notes.notes n where n.company_id = $1
     on conflict (company_id, note_id) do update set document = excluded.document`,
    [company],
  );
  await admin.query(
    `insert into notes.search_progress (company_id, change_no)
     select n.company_id, max(n.change_no) from notes.notes n where n.company_id = $1
     group by n.company_id
     on conflict (company_id) do update set change_no = excluded.change_no, rebuilt_no = 0`,
    [company],
  );
};

const titles = async (company: CompanyId, q: string, more = ''): Promise<string[]> => {
  const path = `/api/notes?q=${encodeURIComponent(q)}${more}`;
  const { body } = await world.as(anAgent(company)).get(path).expect(200);
  return (body.items as { title: string }[]).map(({ title }) => title).toSorted();
};

const { signal: neverStops } = new AbortController();

/** Runs the rebuild until no company needs one. */
const rebuildAll = async (): Promise<void> => {
  const stopping = new AbortController();
  const rebuilding = rebuildSearches(world.deps[0] as Deps, stopping.signal);
  for (;;) {
    const { rowCount } = await admin.query('select * from notes.searches_to_rebuild()');
    if (rowCount === 0) {
      break;
    }
  }
  stopping.abort();
  await rebuilding;
};

describe('documents of an earlier release', () => {
  it('are found by their words, beside new ones, before and after they are made again', async () => {
    const company = aCompany();
    const client = syncClient(world, anAgent(company));
    const old = Array.from({ length: 600 }, (_, index) =>
      putOf({ title: `old ${index}`, content: index === 7 ? 'the kettle boils' : 'nothing' }),
    );
    await client.push(...old.slice(0, 500));
    await client.push(...old.slice(500));
    await indexAsBefore(company);
    await client.push(putOf({ title: 'new', content: 'it boils' }));
    expect(await titles(company, 'boils')).toEqual(['new', 'old 7']);
    expect(await titles(company, '"kettle boils"')).toEqual(['old 7']);
    expect(await titles(company, 'boil')).toEqual(['new']);
    await rebuildAll();
    expect(await titles(company, 'boil')).toEqual(['new', 'old 7']);
    expect(await titles(company, '"kettle boils"')).toEqual(['old 7']);
    expect(await titles(company, 'ketle')).toEqual(['old 7']);
  });

  it('that an earlier release writes beside this one are made again too', async () => {
    const company = aCompany();
    const client = syncClient(world, anAgent(company));
    await client.push(putOf({ title: 'first', content: 'herons' }));
    expect(await titles(company, 'heron')).toEqual(['first']);
    const id = (await client.push(putOf({ title: 'second', content: 'herons' }))).results[0]?.id;
    await admin.query(
      `insert into notes.note_search (company_id, note_id, document)
       values ($1, $2, notes.search_document('second', 'herons'))
       on conflict (company_id, note_id) do update set document = excluded.document`,
      [company, id],
    );
    await admin.query(
      `update notes.search_progress p set change_no = f.head
       from notes.company_feed f where f.company_id = $1 and p.company_id = $1`,
      [company],
    );
    expect(await titles(company, 'herons')).toEqual(['first', 'second']);
    await rebuildAll();
    expect(await titles(company, 'heron')).toEqual(['first', 'second']);
  });

  it('keep the text of a note that changes while its document is made again', async () => {
    const company = aCompany();
    const agent = anAgent(company);
    const { results } = await syncClient(world, agent).push(
      putOf({ title: 'n', content: 'okapi' }),
    );
    const path = `/api/notes/${results[0]?.id}`;
    await indexAsBefore(company);
    const { db, search } = world.deps[0] as Deps;
    const buildDocuments: BuildDocuments = async (companyId, notes) => {
      const documents = await search.buildDocuments(companyId, notes);
      await world.as(agent).put(path).send({ title: 'n', content: 'zebra' }).expect(200);
      expect(await titles(company, 'zebra')).toEqual(['n']);
      return documents;
    };
    await rebuildPart({ db, ...search, buildDocuments }, company, neverStops);
    expect(await titles(company, 'zebra')).toEqual(['n']);
    expect(await titles(company, 'okapi')).toEqual([]);
  });

  it('leave no word that no note has, once all are made again; until then none is looked for', async () => {
    const company = aCompany();
    const agent = anAgent(company);
    const { results } = await syncClient(world, agent).push(
      putOf({ title: 'n', content: 'okapi' }),
      putOf({ title: 'm', content: 'heron' }),
    );
    await titles(company, 'heron');
    await indexAsBefore(company);
    await admin.query(
      `insert into notes.search_words (company_id, word) values ($1, 'okapi'), ($1, 'heron'), ($1, 'dodo')`,
      [company],
    );
    const wordsOf = async (): Promise<string[]> => {
      const { rows } = await admin.query<{ word: string }>(
        `select word from notes.search_words where company_id = $1 and length(word) > 1 order by 1`,
        [company],
      );
      return rows.map(({ word }) => word);
    };
    const path = `/api/notes/${results[0]?.id}`;
    await world.as(agent).put(path).send({ title: 'n', content: 'zebra' }).expect(200);
    expect(await titles(company, 'zebra')).toEqual(['n']);
    expect(await wordsOf()).toEqual(['dodo', 'heron', 'okapi', 'zebra']);
    const { db, search } = world.deps[0] as Deps;
    while (await rebuildPart({ db, ...search }, company, neverStops)) {
      expect(await wordsOf()).toContain('okapi');
    }
    expect(await wordsOf()).toEqual(['heron', 'zebra']);
  });
});

describeUnlessOnCitus('the locks are on the nodes')('the statistics of words', () => {
  it('are made beside searches, which go on, and what is left to do is visible', async () => {
    const [{ db }] = world.deps as [Deps];
    const company = aCompany();
    const client = syncClient(world, anAgent(company));
    for (let part = 0; part < 3; part += 1) {
      await client.push(
        ...Array.from({ length: 400 }, (_, index) =>
          putOf({ title: `${part} ${index}`, content: index === 7 ? 'a kettle boils' : 'boils' }),
        ),
      );
    }
    const pending = async () => {
      const found = await read(db, 'global', (tx) =>
        listStatisticsToMake(tx, notesWithStatisticsMin),
      );
      return found.find(({ companyId }) => companyId === company)?.pending ?? 0;
    };
    const best = () => titles(company, 'what boils in a kettle?', '&match=best&limit=3');
    const before = await best();
    expect(before).toEqual(['0 7', '1 7', '2 7']);
    expect(await pending()).toBe(1_200);
    await admin.query('begin');
    await admin.query('lock table notes.search_terms in share mode');
    const making = makeStatistics(db, company);
    try {
      for (let waiting = 0; waiting === 0;) {
        const { rows } = await admin.query<{ count: number }>(
          `select count(*)::integer as count from pg_locks where not granted and database =
             (select oid from pg_database where datname = current_database())`,
        );
        waiting = rows[0]?.count ?? 0;
      }
      expect(await best()).toEqual(before);
      expect(await pending()).toBe(1_200);
    } finally {
      await admin.query('commit');
      await making;
    }
    expect(await pending()).toBe(0);
    expect(await best()).toEqual(before);
  });
});
