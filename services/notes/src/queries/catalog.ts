import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';
import type { LabelKind } from './labels.ts';

/** What of a company's notes is not in its catalog yet. */
export type CatalogLag = {
  /** The newest change. */
  readonly head: number;
  /** Some change after the company got its catalog is missing. */
  readonly isBehind: boolean;
  /** Notes from before that are still being added. */
  readonly isBackfilling: boolean;
};

/** Two lookups by key: the head of the feed, and how far the catalog has come. */
export const findCatalogLag = async (tx: CompanyTx): Promise<CatalogLag> => {
  const [row] = await tx.query<CatalogLag>(
    `select f.head, coalesce(p.change_no < f.head, f.head > 0) as "isBehind",
       coalesce(p.backfilled_no < p.backfill_to, false) as "isBackfilling"
     from notes.company_feed f
     left join notes.catalog_progress p on p.company_id = $1
     where f.company_id = $1`,
    [tx.companyId],
    'notes.find-catalog-lag',
  );
  return row ?? { head: 0, isBehind: false, isBackfilling: false };
};

export type CatalogProgress = {
  readonly changeNo: number;
  readonly backfilledNo: number;
  readonly backfillTo: number;
};

/**
 * Locks the catalog of a company until COMMIT. A company without one gets it: everything up to its present head
 * is backfilled, and later changes are added as they come.
 */
export const lockCatalog = async (tx: CompanyTx): Promise<CatalogProgress> => {
  await tx.query(
    `insert into notes.catalog_progress (company_id, change_no, backfilled_no, backfill_to)
     select $1, f.head, 0, f.head from notes.company_feed f where f.company_id = $1
     on conflict (company_id) do nothing`,
    [tx.companyId],
  );
  const [row] = await tx.query<CatalogProgress>(
    `select p.change_no as "changeNo", p.backfilled_no as "backfilledNo",
       p.backfill_to as "backfillTo"
     from notes.catalog_progress p where p.company_id = $1 for update`,
    [tx.companyId],
  );
  return row ?? { changeNo: 0, backfilledNo: 0, backfillTo: 0 };
};

export const updateCatalogProgress = async (
  tx: CompanyTx,
  { changeNo, backfilledNo }: Pick<CatalogProgress, 'changeNo' | 'backfilledNo'>,
): Promise<void> => {
  await tx.query(
    `update notes.catalog_progress set change_no = $2, backfilled_no = $3 where company_id = $1`,
    [tx.companyId, changeNo, backfilledNo],
  );
};

/** A note to add to the catalog, or to remove from it. */
export type CatalogedNote = {
  readonly id: NoteId;
  readonly changeNo: number;
  readonly revision: number;
  readonly title: string;
  readonly folder: string;
  readonly tags: string[];
  readonly createdAt: Date;
  readonly isDeleted: boolean;
  /** Null unless it may contain links. */
  readonly content: string | null;
};

/** Changes after one number, up to another, both limited in notes and in bytes of content (at least one note). */
export type CatalogPart = {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  readonly bytesMax: number;
};

/** The notes of a part, in the order of their changes; content is read only where it contains link marks. */
export const listNotesToCatalog = (tx: CompanyTx, part: CatalogPart): Promise<CatalogedNote[]> =>
  tx.query<CatalogedNote>(
    `with next as materialized (
       select n.change_no, row_number() over part as place, sum(n.size) over part as bytes
       from (
         select n.change_no, n.size from notes.notes n
         where n.company_id = $1 and n.change_no > $2 and n.change_no <= $3
         order by n.change_no
         limit $4
       ) n
       window part as (order by n.change_no rows unbounded preceding)
     )
     select n.* from next
     cross join lateral (
       select n.id, n.change_no as "changeNo", n.revision, n.title, n.folder, n.tags,
         n.created_at as "createdAt", n.deleted_at is not null as "isDeleted",
         case when n.deleted_at is null
           and (position('[[' in n.content) > 0 or position('/notes/' in n.content) > 0)
           then n.content end as content
       from notes.notes n
       where n.company_id = $1 and n.change_no = any (array[next.change_no])
       order by n.change_no
     ) n
     where next.place = 1 or next.bytes <= $5
     order by next.place`,
    [tx.companyId, part.after, part.upTo, part.limit, part.bytesMax],
    'notes.list-notes-to-catalog',
  );

/** The labels of a note as they are counted. */
export type CountedLabels = {
  readonly id: NoteId;
  readonly folder: string;
  readonly tags: string[];
};

/** The labels that these notes are counted with. */
export const listCountedLabels = (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<CountedLabels[]> =>
  tx.query<CountedLabels>(
    `select e.note_id as id, e.folder, e.tags from notes.catalog_entries e
     where e.company_id = $1 and e.note_id = any ($2::uuid[]) order by e.note_id`,
    [tx.companyId, ids],
    'notes.list-counted-labels',
  );

export const deleteCatalogEntries = async (
  tx: CompanyTx,
  ids: readonly NoteId[],
): Promise<void> => {
  await tx.query(
    `delete from notes.catalog_entries e where e.company_id = $1 and e.note_id = any ($2::uuid[])`,
    [tx.companyId, ids],
  );
};

/** `title` is as links compare it; empty: no link leads to the note. */
export type CatalogEntry = Omit<CatalogedNote, 'content' | 'changeNo' | 'revision' | 'isDeleted'>;

/** Writes the entries that are new or have changed. */
export const upsertCatalogEntries = async (
  tx: CompanyTx,
  entries: readonly CatalogEntry[],
): Promise<void> => {
  await tx.query(
    `insert into notes.catalog_entries as e (company_id, note_id, title_key, created_at, folder, tags)
     select f.company_id, r.id, notes.title_key(nullif(r.title, '')), r."createdAt", r.folder, r.tags
     from notes.company_feed f
     cross join json_to_recordset($2::json) as r (
       id uuid, title text, "createdAt" timestamptz, folder text, tags text[])
     where f.company_id = $1
     on conflict (company_id, note_id) do update set title_key = excluded.title_key,
       created_at = excluded.created_at, folder = excluded.folder, tags = excluded.tags
     where (e.title_key, e.created_at, e.folder, e.tags)
       is distinct from (excluded.title_key, excluded.created_at, excluded.folder, excluded.tags)`,
    [tx.companyId, JSON.stringify(entries)],
  );
};

/** Deletes the links of these notes. */
export const deleteLinks = async (tx: CompanyTx, sourceIds: readonly NoteId[]): Promise<void> => {
  await tx.query(
    `delete from notes.note_links l where l.company_id = $1 and l.source_id = any ($2::uuid[])`,
    [tx.companyId, sourceIds],
  );
};

/** A row of notes.note_links: a link to an id, or to a title. */
export type LinkToStore = {
  readonly sourceId: NoteId;
  readonly place: number;
  readonly targetId: string | null;
  readonly title: string | null;
  /** The title as links compare it. */
  readonly linkedTitle: string | null;
  /** Where the link starts in the content, in Unicode characters. */
  readonly charOffset: number;
};

/** Stores links, of each title the first. */
export const insertLinks = async (tx: CompanyTx, links: readonly LinkToStore[]): Promise<void> => {
  await tx.query(
    `insert into notes.note_links (company_id, source_id, place, target_id, title, title_key,
       char_offset)
     select distinct on (r."sourceId", r."targetId", r.key)
       f.company_id, r."sourceId", r.place, r."targetId", r.title, r.key, r."charOffset"
     from (
       select r.*, notes.title_key(r."linkedTitle") as key
       from json_to_recordset($2::json) as r (
         "sourceId" uuid, place integer, "targetId" uuid, title text, "linkedTitle" text,
         "charOffset" integer)
     ) r
     cross join notes.company_feed f
     where f.company_id = $1
     order by r."sourceId", r."targetId", r.key, r.place`,
    [tx.companyId, JSON.stringify(links)],
  );
};

/** By how many notes the count of a folder or tag changes. */
export type LabelChange = {
  readonly kind: LabelKind;
  readonly name: string;
  readonly notes: number;
};

/** Adds to the counts of folders and tags; those without notes are deleted. */
export const updateLabelCounts = async (
  tx: CompanyTx,
  changes: readonly LabelChange[],
): Promise<void> => {
  await tx.query(
    `insert into notes.label_counts as l (company_id, kind, name, notes)
     select f.company_id, r.kind, r.name, r.notes
     from notes.company_feed f
     cross join json_to_recordset($2::json) as r (kind text, name text, notes bigint)
     where f.company_id = $1
     on conflict (company_id, kind, name) do update set notes = l.notes + excluded.notes`,
    [tx.companyId, JSON.stringify(changes)],
  );
  const fewer = changes.filter(({ notes }) => notes < 0);
  if (fewer.length > 0) {
    await tx.query(
      `delete from notes.label_counts l
       using json_to_recordset($2::json) as r (kind text, name text)
       where l.company_id = $1 and l.kind = r.kind and l.name = r.name collate "C" and l.notes <= 0`,
      [tx.companyId, JSON.stringify(fewer)],
    );
  }
};

/** A company whose catalog lacks notes of earlier releases, with the number of changes to look at. */
export type CatalogToBackfill = { readonly companyId: CompanyId; readonly pending: number };

/** The companies whose catalog lacks notes of earlier releases. */
export const listCatalogsToBackfill = (tx: GlobalTx): Promise<CatalogToBackfill[]> =>
  tx.query<CatalogToBackfill>(
    `select b.company_id as "companyId", b.pending::float8 as pending
     from notes.catalogs_to_backfill() b
     order by b.company_id`,
  );
