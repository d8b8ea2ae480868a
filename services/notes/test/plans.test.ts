import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import type { CompanyId, NoteId } from '@commonplace/contracts';
import {
  createDb,
  inIndexOrder,
  write,
  type CompanyStream,
  type CompanyTx,
  type InIndexOrder,
  type SqlValue,
} from '@commonplace/db';
import pg from 'pg';
import { listNotePage, readNotePage } from '../src/search/read-note-page.ts';
import { listTaggedIds } from '../src/queries/list-notes.ts';
import {
  findNote,
  findNoteUpTo,
  listIdsOfOtherCompanies,
  listNotesById,
} from '../src/queries/notes.ts';
import { listActivity } from '../src/queries/activity.ts';
import { listNoteSizes, listNotesUpTo } from '../src/queries/note-sizes.ts';
import { findSearchState } from '../src/queries/search-index.ts';
import {
  streamChanges,
  listChanges,
  listStaleBases,
  listTombstones,
  type PullFrom,
} from '../src/queries/changes.ts';
import { findCatalogLag, listNotesToCatalog } from '../src/queries/catalog.ts';
import { listLabels } from '../src/queries/labels.ts';
import { findEndOfLinks, listBrokenLinks } from '../src/queries/broken-links.ts';
import { listBacklinks, listLinks } from '../src/queries/links.ts';
import { listMutations } from '../src/queries/mutations.ts';
import { findVersion, listRevisions, listVersions } from '../src/queries/versions.ts';
import { lockFeed } from '../src/queries/feed.ts';
import { fillCompany, fillOthers } from './fill-company.ts';
import { aCompany, createNotesWorld, type NotesWorld } from './notes-world.ts';

const describeOfOneNode = describeUnlessOnCitus('plans are those of the coordinator');

const notesCount = 50_000;
let world: NotesWorld;
let company: CompanyId;
let grown: CompanyId;
let ids: NoteId[];

beforeAll(async () => {
  world = await createNotesWorld();
  company = aCompany();
  const admin = new pg.Client({ connectionString: world.database.adminUrl });
  await admin.connect();
  ids = await fillCompany(admin, company, notesCount);
  await fillOthers(admin);
  await admin.query('vacuum analyze');
  grown = aCompany();
  await admin.query('alter table notes.notes set (autovacuum_enabled = off)');
  await admin.query('alter table notes.mutations set (autovacuum_enabled = off)');
  await fillCompany(admin, grown, notesCount);
  await admin.end();
}, 120_000);
afterAll(() => world.close());

const activity = {
  since: null,
  sinceChange: null,
  until: null,
  author: null,
  exceptAuthor: null,
  runId: null,
  keyId: null,
  connectionId: null,
  after: null,
  limit: 51,
  scannedMax: 51,
};

type Read = (tx: CompanyTx) => Promise<unknown>;
type Explain = (tx: CompanyTx, text: string, values?: readonly SqlValue[]) => Promise<PlanLine[]>;
type PlanLine = { readonly 'QUERY PLAN': string };

/** The plan of a statement for these values. */
const explain: Explain = (tx, text, values) => tx.query<PlanLine>(`explain ${text}`, values);

let explained = 0;

/** Its plan for all values, as `plannedOnce` runs it. */
const explainOnce: Explain = async (tx, text, values = []) => {
  explained += 1;
  const name = `explained_${explained}`;
  await tx.query(`select set_config('plan_cache_mode', 'force_generic_plan', true)`);
  await tx.query(`prepare ${name} as ${text}`);
  const nulls = values.map(() => 'null').join(', ');
  const plan = await tx.query<PlanLine>(
    `explain execute ${name}${nulls === '' ? '' : `(${nulls})`}`,
  );
  await tx.query(`deallocate ${name}`);
  return plan;
};

/** Runs what reads notes, and gives the plan of every statement it sent. */
const plansOf = (
  read: Read,
  of: CompanyId | InIndexOrder = company,
  explainOne = explain,
): Promise<string[]> =>
  write(world.deps[0]?.db as never, of, async (tx) => {
    const plans: string[] = [];
    const query: CompanyTx['query'] = async (text, values, name) => {
      const rows = await explainOne(tx, text, values);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return tx.query(text, values, name);
    };
    await read({ ...tx, query });
    return plans;
  });

const listing = {
  view: 'summary',
  deleted: 'exclude',
  tag: [] as string[],
  sort: 'updatedAt',
  order: 'desc',
  after: null,
  limit: 51,
} as const;

const keys = Array.from({ length: 100 }, (_, index) => ({
  caller: 'agent:a',
  clientId: 'c',
  mutationId: String(index * 7),
}));

const pull = { tombstonesAfter: null, known: [], limit: 500, bytesMax: 4_000_000 };

/** The statement that streams its rows, run like any other. */
const streamed = async (tx: CompanyTx, from: PullFrom): Promise<void> => {
  const query: CompanyStream['query'] = async function* (text, values, name) {
    yield await tx.query(text, values, name);
  };
  const parts = streamChanges({ ...tx, query } as unknown as CompanyStream, from);
  for await (const rows of parts) {
    expect(rows).toHaveLength(pull.limit + 1);
  }
};

const reads: Readonly<Record<string, Read>> = {
  'reading a note': (tx) => findNote(tx, ids[0] as NoteId),
  'looking at a note': (tx) => findNoteUpTo(tx, ids[0] as NoteId, 1_000),
  'the activity of a company': (tx) => listActivity(tx, activity),
  'the activity of an author before a time': (tx) =>
    listActivity(tx, {
      ...activity,
      until: new Date('2026-01-01T06:00:00Z'),
      author: company,
      after: [new Date('2026-01-01T05:00:00Z'), company, 1],
      scannedMax: 2_000,
    }),
  'the activity of a run': (tx) => listActivity(tx, { ...activity, runId: company }),
  'the activity of a key since a time': (tx) =>
    listActivity(tx, { ...activity, keyId: company, since: new Date('2026-01-01T05:00:00Z') }),
  'the activity of a connection': (tx) => listActivity(tx, { ...activity, connectionId: company }),
  'the sizes of many notes': (tx) => listNoteSizes(tx, ids),
  'reading many notes': (tx) =>
    listNotesUpTo(
      tx,
      ids.map((id) => ({ id, size: 20 })),
    ),
  'reading a version': (tx) => findVersion(tx, { id: ids[0] as NoteId, revision: 1 }, 1_000),
  'the notes of a push': (tx) => listNotesById(tx, ids),
  'the ids of a push': (tx) => listIdsOfOtherCompanies(tx, ids),
  'the mutations of a push': (tx) => listMutations(tx, keys),
  'the versions of a merge': (tx) =>
    listVersions(
      tx,
      ids.map((id) => ({ id, revision: 1 })),
      1_000_000,
    ),
  'the history of a note': (tx) =>
    listRevisions(tx, { id: ids[0] as NoteId, before: null, limit: 51 }),
  'the lock of a write': (tx) => lockFeed(tx),
  'a full pull, first page': (tx) => listChanges(tx, { ...pull, afterChangeNo: 0 }),
  'a full pull, half-way': (tx) => listChanges(tx, { ...pull, afterChangeNo: notesCount / 2 }),
  'a streamed full pull, first page': (tx) => streamed(tx, { ...pull, afterChangeNo: 0 }),
  'a streamed full pull, half-way': (tx) =>
    streamed(tx, { ...pull, afterChangeNo: notesCount / 2 }),
  'an empty delta': (tx) =>
    listChanges(tx, { ...pull, afterChangeNo: notesCount, tombstonesAfter: 0 }),
  'what is left to index': (tx) => findSearchState(tx),
  'a list by update': (tx) => listNotePage(tx, listing),
  'a list by creation': (tx) => listNotePage(tx, { ...listing, sort: 'createdAt', order: 'asc' }),
  'a list by title': (tx) => listNotePage(tx, { ...listing, sort: 'title', order: 'asc' }),
  'a list of a folder': (tx) => listNotePage(tx, { ...listing, folder: 'f7' }),
  'a list of an author': (tx) => listNotePage(tx, { ...listing, author: company }),
  'a list of what is archived': (tx) => listNotePage(tx, { ...listing, archived: true }),
  'a list of a tag': (tx) => listNotePage(tx, { ...listing, tag: ['rare'] }),
  'what is missing in the catalog': (tx) => findCatalogLag(tx),
  'what is left for the catalog': (tx) =>
    listNotesToCatalog(tx, { after: notesCount / 2, upTo: notesCount, limit: 500, bytesMax: 4e6 }),
  'the links of a note': (tx) => listLinks(tx, { id: ids[0] as NoteId, after: -1, limit: 51 }),
  'the backlinks of a note': (tx) =>
    listBacklinks(tx, { id: ids[0] as NoteId, linkedTitle: 'Note 17', after: null, limit: 51 }),
  'the broken links': async (tx) => {
    const until = await findEndOfLinks(tx, null);
    return listBrokenLinks(tx, { after: null, until, folder: '', limit: 51 });
  },
  'a list of folders': (tx) =>
    listLabels(tx, { kind: 'folder', from: '', before: null, after: 'f2', limit: 51 }),
  'a search': (tx) => listNotePage(tx, { ...listing, q: 'word17' }),
};

describeOfOneNode(`with ${notesCount} notes in a company`, () => {
  it.each(Object.entries(reads))('%s walks over no growing table', async (_what, read) => {
    const plans = [
      ...(await plansOf(read)),
      ...(await plansOf(read, inIndexOrder(company), explainOnce)),
    ];
    expect(plans.length).toBeGreaterThan(1);
    plans.forEach((plan) => {
      expect(plan).not.toMatch(
        /Seq Scan on (?:notes|note_revisions|mutations|note_owner|note_search|purged_notes|company_feed|catalog_entries|former_titles|note_links|label_counts)/,
      );
    });
  });
});

const names = () => ids.map((id) => ({ id, revision: 0 }));

/** What is read in the order of an index, and which index that is. */
const ordered: readonly (readonly [what: string, index: string, read: Read])[] = [
  ['reading a note', 'notes_pkey', (tx) => findNote(tx, ids[0] as NoteId)],
  ['looking at a note', 'notes_pkey', (tx) => findNoteUpTo(tx, ids[0] as NoteId, 1_000)],
  ['the notes of a push', 'notes_pkey', (tx) => listNotesById(tx, ids)],
  ['the sizes of many notes', 'notes_pkey', (tx) => listNoteSizes(tx, ids)],
  [
    'reading many notes',
    'notes_pkey',
    (tx) =>
      listNotesUpTo(
        tx,
        ids.map((id) => ({ id, size: 20 })),
      ),
  ],
  ['the one note of a push', 'notes_pkey', (tx) => listNotesById(tx, ids.slice(0, 1))],
  ['the notes of a merge', 'notes_pkey', (tx) => listStaleBases(tx, names())],
  [
    'the deletions among some notes',
    'notes_pkey',
    (tx) => listTombstones(tx, { ids, upTo: notesCount, known: [] }),
  ],
  ['the mutations of a push', 'mutations_pkey', (tx) => listMutations(tx, keys)],
  [
    'a page of a pull',
    'notes_company_id_change_no_key',
    (tx) => listChanges(tx, { ...pull, afterChangeNo: 0 }),
  ],
  [
    'a page of a streamed pull',
    'notes_company_id_change_no_key',
    (tx) => streamed(tx, { ...pull, afterChangeNo: 0 }),
  ],
  ['a list by update', 'notes_by_update', (tx) => listNotePage(tx, listing)],
  [
    'a list by title',
    'notes_by_title',
    (tx) => listNotePage(tx, { ...listing, sort: 'title', order: 'asc' }),
  ],
  ['a list of a tag', 'notes_pkey', (tx) => listNotePage(tx, { ...listing, tag: ['rare'] })],
  ['a search', 'notes_pkey', (tx) => listNotePage(tx, { ...listing, q: 'word17' })],
  ['what is left to index', 'notes_company_id_change_no_key', (tx) => findSearchState(tx)],
  [
    'a search in a folder',
    'notes_pkey',
    (tx) => listNotePage(tx, { ...listing, q: 'word17', folder: 'f7' }),
  ],
  [
    'a ranked search in a folder',
    'notes_pkey',
    (tx) => listNotePage(tx, { ...listing, q: 'word17', match: 'best', folder: 'f7' }),
  ],
];

const lastIndexOf = (plans: readonly string[]) => {
  // What leads to the notes, where something does, comes first.
  const plan = plans.at(-1) ?? '';
  expect(plan).not.toMatch(/Bitmap Heap Scan on (?:notes|mutations)\b/);
  const used = [...plan.matchAll(/using (\w+) on (?:notes|mutations)\b/g)];
  // Conflict copies of the listed notes are counted by an index that has nothing else.
  return [...new Set(used.map(([, name]) => name))].filter((name) => name !== 'conflict_copies');
};

describeOfOneNode('in a company that has grown since the tables were analysed', () => {
  it.each(ordered)('%s goes by %s', async (_what, index, read) => {
    const plans = await plansOf(read, inIndexOrder(grown), explainOnce);
    expect(lastIndexOf(plans)).toEqual([index]);
  });

  it.each([
    ['for all', null],
    ['for a caller with grants', ['']],
  ])(
    'a ranked search %s goes by notes_pkey with one plan for all values',
    async (_for, folders) => {
      const read: Read = (tx) => listNotePage(tx, { ...listing, q: 'word17', match: 'best' });
      const reach = inIndexOrder({ companyId: grown, folders });
      const plans = await plansOf(read, reach, explainOnce);
      expect(plans.length).toBeGreaterThan(1);
      expect(lastIndexOf(plans)).toEqual(['notes_pkey']);
      plans.forEach((plan) => {
        expect(plan).not.toMatch(/(?:Seq Scan|Bitmap Heap Scan) on (?:notes|note_search)\b/);
      });
    },
  );

  it('a list without conflict copies goes by update, and looks up their notes by key', async () => {
    const read: Read = (tx) => listNotePage(tx, { ...listing, conflicts: 'exclude' });
    const plans = await plansOf(read, inIndexOrder(grown));
    expect(lastIndexOf(plans)).toEqual(['notes_by_update', 'notes_pkey']);
  });

  it('a list of a tag in a folder goes by notes_pkey once the notes of the tag are known', async () => {
    const tagged = { ...listing, tag: ['rare'], folder: 'f7' };
    const taggedIds = await write(world.deps[0]?.db as never, grown, (tx) =>
      listTaggedIds(tx, tagged.tag),
    );
    const read: Read = (tx) => listNotePage(tx, { ...tagged, taggedIds });
    expect(lastIndexOf(await plansOf(read, inIndexOrder(grown)))).toEqual(['notes_pkey']);
  });

  it('a list of a tag looks the notes up in any order, and reads them in index order', async () => {
    const db = createDb({
      url: world.database.appUrl('notes'),
      connectionsMax: 1,
      onIdleError: () => undefined,
    });
    const sent: string[] = [];
    db.pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: [{ readonly name?: string }]) => {
        sent.push(args[0].name ?? '');
        return query(...args);
      }) as unknown as typeof client.query;
    });
    await readNotePage(db, { companyId: grown, folders: null }, { ...listing, tag: ['rare'] });
    await db.close();
    expect(sent.filter((name) => name.startsWith('read scope'))).toEqual([
      'read scope',
      'read scope in index order',
    ]);
  });
});
