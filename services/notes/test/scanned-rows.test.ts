import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import type { CompanyId, NoteId } from '@commonplace/contracts';
import { inIndexOrder, read, write, type CompanyTx, type Db } from '@commonplace/db';
import pg from 'pg';
import { listNotesOfFormerTitle, listNotesOfTitle } from '../src/queries/former-titles.ts';
import { deleteLinks, findCatalogLag, listCountedLabels } from '../src/queries/catalog.ts';
import { findWordMatches } from '../src/queries/ranked-search.ts';
import { listNotesChangedByOthers, listPinnedNotes } from '../src/queries/context-notes.ts';
import { listExcerptTexts } from '../src/queries/excerpt-texts.ts';
import { listLabels } from '../src/queries/labels.ts';
import { findEndOfLinks, listBrokenLinks } from '../src/queries/broken-links.ts';
import { listBacklinks, listLinks } from '../src/queries/links.ts';
import {
  findNoteUpTo,
  listConflictCopies,
  listContents,
  listNotesById,
} from '../src/queries/notes.ts';
import {
  edgesOf,
  listKnownWords,
  listSimilarWords,
  listWordsByPrefix,
} from '../src/queries/search-words.ts';
import { listTitledNotes } from '../src/queries/titles.ts';
import { findVersion, listRevisions, listVersions } from '../src/queries/versions.ts';
import { termPrefix } from '../src/search/text/search-document.ts';
import { fillCompany, fillOthers } from './fill-company.ts';
import { aCompany, createNotesWorld, type NotesWorld } from './notes-world.ts';

const describeOfOneNode = describeUnlessOnCitus('rows are read on the workers');

const notesCount = 20_000;
/** A part of the company: some statements look at a bounded number of rows. */
const scannedMax = notesCount / 8;

let world: NotesWorld;
let admin: pg.Client;
let analysed: CompanyId;
let grown: CompanyId;
const idsOf = new Map<CompanyId, NoteId[]>();

beforeAll(async () => {
  world = await createNotesWorld();
  admin = new pg.Client({ connectionString: world.database.adminUrl });
  await admin.connect();
  analysed = aCompany();
  grown = aCompany();
  idsOf.set(analysed, await fillCompany(admin, analysed, notesCount));
  await fillOthers(admin);
  await admin.query('vacuum analyze');
  for (const table of [
    'notes',
    'note_revisions',
    'search_words',
    'note_links',
    'catalog_entries',
  ]) {
    await admin.query(`alter table notes.${table} set (autovacuum_enabled = off)`);
  }
  idsOf.set(grown, await fillCompany(admin, grown, notesCount));
}, 120_000);
afterAll(async () => {
  await admin.end();
  await world.close();
});

type Read = (tx: CompanyTx, ids: readonly NoteId[]) => Promise<unknown>;

const scope = { folders: [], tag: [], charactersMax: 8_192, limit: 20 };
const firstOf = (ids: readonly NoteId[]): NoteId => ids[0] as NoteId;

const versionsOf = (ids: readonly NoteId[]) => ids.map((id) => ({ id, revision: 1 }));

/** Statements of transactions in index order. */
const readInIndexOrder: Readonly<Record<string, Read>> = {
  'the note of an edit': (tx, ids) => listNotesById(tx, ids.slice(0, 1)),
  'the versions of a merge': (tx, ids) => listVersions(tx, versionsOf(ids), 1_000_000),
  'the contents of edited notes': (tx, ids) => listContents(tx, ids),
  'notes by their titles': (tx) =>
    listTitledNotes(
      tx,
      [17, 19].map((i) => ({ folder: `f${i}`, title: `note ${i}` })),
      2,
    ),
  'the notes of a title in any folder': (tx) =>
    listNotesOfTitle(tx, { linkedTitle: 'Note 17', limit: 20 }),
  'the notes that had a title': (tx) =>
    listNotesOfFormerTitle(tx, { linkedTitle: 'Was 17', limit: 20 }),
  'a note without content': (tx, ids) => findNoteUpTo(tx, firstOf(ids), 0),
  'the links of a note': (tx, ids) => listLinks(tx, { id: firstOf(ids), after: -1, limit: 51 }),
  'the backlinks of a note': (tx, ids) =>
    listBacklinks(tx, { id: firstOf(ids), linkedTitle: 'Note 17', after: null, limit: 51 }),
  'the end of a page of broken links': (tx) => findEndOfLinks(tx, null),
  'a page of broken links': async (tx) => {
    const until = await findEndOfLinks(tx, null);
    return listBrokenLinks(tx, { after: null, until, folder: '', limit: 51 });
  },
  'a page of folders': (tx) =>
    listLabels(tx, { kind: 'folder', from: '', before: null, after: 'f2', limit: 51 }),
  'what is missing in the catalog': (tx) => findCatalogLag(tx),
  'the labels that notes are counted with': (tx, ids) => listCountedLabels(tx, ids),
  'the words that begin so': (tx) => listWordsByPrefix(tx, { prefix: 'word', limit: 200 }),
  'the words of a query that are known': (tx) => listKnownWords(tx, ['word17', 'word']),
  'the words like a misspelled one': (tx) => listSimilarWords(tx, edgesOf('wrod17', 2)),
  'the excerpts of a search': (tx, ids) => listExcerptTexts(tx, ids.slice(0, 20)),
  'the pinned notes of a context': (tx) => listPinnedNotes(tx, { ...scope, textsMax: 20 }),
  'the words of a ranked search': (tx) =>
    findWordMatches(tx, [{ place: 0, query: "'none'", looked: 0 }], {
      notes: 1_000,
      most: 2_000,
      limit: 600,
    }),
  'what others changed since a context': (tx) =>
    listNotesChangedByOthers(tx, {
      ...scope,
      changeNo: notesCount - 100,
      upTo: notesCount,
      exceptAuthorId: firstOf(idsOf.get(tx.companyId) ?? []),
      textsMax: 20,
    }),
};

/** Statements of other transactions. */
const readInAnyOrder: Readonly<Record<string, Read>> = {
  'the conflict copies of a note': (tx, ids) =>
    listConflictCopies(tx, { id: firstOf(ids), after: null, limit: 51 }),
  'a version': (tx, ids) => findVersion(tx, { id: firstOf(ids), revision: 1 }, 1_000),
  'the history of a note': (tx, ids) =>
    listRevisions(tx, { id: firstOf(ids), before: null, limit: 51 }),
};

/** The parts of a node of a plan in JSON that count rows. */
type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
};

/** The most rows that one node of a plan reads from a table or an index, or that are sorted. */
const mostRows = (node: PlanNode): number => {
  const counted = [
    'Actual Rows',
    'Rows Removed by Filter',
    'Rows Removed by Index Recheck',
  ] as const;
  const rows = counted.reduce((sum, name) => sum + (node[name] ?? 0), 0);
  const own = rows * (node['Actual Loops'] ?? 1);
  return Math.max(own, ...(node.Plans ?? []).map(mostRows));
};

type Within = (db: Db, of: CompanyId, work: (tx: CompanyTx) => Promise<void>) => Promise<void>;

const inOrder: Within = (db, of, work) => read(db, inIndexOrder(of), work);
const inAnyOrder: Within = (db, of, work) => read(db, of, work);
const writingInOrder: Within = (db, of, work) => write(db, inIndexOrder(of), work);

/** Runs what reads notes with the plan of every statement it sends; returns the most rows of a node. */
const mostRowsOf = async (readNotes: Read, within: Within, company: CompanyId): Promise<number> => {
  const most: number[] = [];
  await within(world.deps[0]?.db as never, company, async (tx) => {
    const query: CompanyTx['query'] = async (text, values, name) => {
      const rows = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      rows.forEach((row) => most.push(...row['QUERY PLAN'].map(({ Plan }) => mostRows(Plan))));
      return tx.query(text, values, name);
    };
    await readNotes({ ...tx, query }, idsOf.get(company) ?? []);
  });

  expect(most.length).toBeGreaterThan(0);
  return Math.max(...most);
};

const cases: readonly (readonly [what: string, readNotes: Read, within: Within])[] = [
  ...Object.entries(readInIndexOrder).map(([what, each]) => [what, each, inOrder] as const),
  ...Object.entries(readInAnyOrder).map(([what, each]) => [what, each, inAnyOrder] as const),
  ['deleting the links of notes', (tx, ids) => deleteLinks(tx, ids.slice(0, 20)), writingInOrder],
];

describeOfOneNode(`in a company of ${notesCount} notes`, () => {
  it.each(cases)('%s: a bounded number of rows is read', async (_what, readNotes, within) => {
    expect(await mostRowsOf(readNotes, within, analysed)).toBeLessThan(scannedMax);
    expect(await mostRowsOf(readNotes, within, grown)).toBeLessThan(scannedMax);
  });
});

/** Statements within functions, which the plans of their callers do not show. */
const functions = [
  ['notes by title', `select * from notes.match_titles(array['f17'], array['note 17'], 2)`],
  [
    'a title in a large folder',
    `select * from notes.match_titles(array[''], array['note 18'], 20)`,
  ],
  ['notes by tag', `select * from notes.match_tags(array['rare'], 1001)`],
  ['notes by word', `select * from notes.match_notes($word::tsquery, 5001)`],
  [
    'notes by a word that may be frequent',
    `select * from notes.match_frequent($word::tsquery, 1000, 100, 2000)`,
  ],
] as const;

/** `plannedOnce` sets the second one, which holds within functions as well. */
const cacheModes = ['auto', 'force_generic_plan'];

const inEachMode = functions.flatMap(([what, statement]) =>
  cacheModes.map((mode) => [what, mode, statement] as const),
);

describeOfOneNode('within functions', () => {
  it.each(inEachMode)(
    '%s (%s): a bounded number of rows is read',
    async (_what, mode, statement) => {
      await admin.query(`load 'auto_explain'`);
      await admin.query(`select set_config('plan_cache_mode', $1, false)`, [mode]);
      await admin.query(`set auto_explain.log_min_duration = 0`);
      await admin.query(`set auto_explain.log_analyze = on`);
      await admin.query(`set auto_explain.log_nested_statements = on`);
      await admin.query(`set auto_explain.log_format = json`);
      await admin.query(`set client_min_messages = log`);
      for (const company of [analysed, grown]) {
        const plans: string[] = [];
        const collect = ({ message = '' }: { message?: string | undefined }) => plans.push(message);
        admin.on('notice', collect);
        await admin.query(`select set_config('app.company_id', $1, false)`, [company]);
        await admin.query(statement.replace('$word', `'${termPrefix(company)}word17'`));
        admin.off('notice', collect);
        const nested = plans.flatMap((text) => {
          const json = /plan:\n([^]+)/.exec(text)?.[1];
          return json ? [(JSON.parse(json) as { Plan: PlanNode }).Plan] : [];
        });
        expect(nested.length).toBeGreaterThan(1);
        expect(Math.max(...nested.map(mostRows))).toBeLessThan(scannedMax);
      }
    },
  );
});
