import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

/** The state of a company's search index. */
export type SearchState = {
  /** The newest change of a note, and the one up to which notes are indexed. */
  readonly newestNo: number;
  readonly indexedNo: number;
  /** The index has documents of an earlier release. */
  readonly isRebuilding: boolean;
};

/**
 * How far the index of the company $1 is behind. Reads the newest change only: for an `exists` on newer changes the
 * planner would scan all notes.
 */
export const stateColumns = `coalesce(
    (select n.change_no from notes.notes n
     where n.company_id = $1 order by n.change_no desc limit 1), 0) as "newestNo",
  coalesce(
    (select p.change_no from notes.search_progress p where p.company_id = $1), 0) as "indexedNo",
  coalesce(
    (select p.rebuilt_no < p.change_no from notes.search_progress p where p.company_id = $1),
    false) as "isRebuilding"`;

/** The state of a company's search index. */
export const findSearchState = async (tx: CompanyTx): Promise<SearchState> => {
  const [row] = await tx.query<SearchState>(
    `select ${stateColumns}`,
    [tx.companyId],
    'notes.find-search-state',
  );
  return row ?? { newestNo: 0, indexedNo: 0, isRebuilding: false };
};

/** The change number up to which a company is indexed, and up to which with documents of this release. */
export type SearchProgress = { readonly changeNo: number; readonly rebuiltNo: number };

const progressColumns = 'p.change_no as "changeNo", p.rebuilt_no as "rebuiltNo"';

/** How far a company is indexed. */
export const findSearchProgress = async (tx: CompanyTx): Promise<SearchProgress> => {
  const [row] = await tx.query<SearchProgress>(
    `select ${progressColumns} from notes.search_progress p where p.company_id = $1`,
    [tx.companyId],
    'notes.find-search-progress',
  );
  return row ?? { changeNo: 0, rebuiltNo: 0 };
};

/** As `findSearchProgress`; locks the indexing of the company until COMMIT. */
export const lockSearchProgress = async (tx: CompanyTx): Promise<SearchProgress> => {
  await tx.query(
    `insert into notes.search_progress (company_id, change_no) values ($1, 0)
     on conflict (company_id) do nothing`,
    [tx.companyId],
  );
  const [row] = await tx.query<SearchProgress>(
    `select ${progressColumns} from notes.search_progress p where p.company_id = $1 for update`,
    [tx.companyId],
  );
  return row ?? { changeNo: 0, rebuiltNo: 0 };
};

/** Sets how far a company is indexed, under the lock. */
export const updateSearchProgress = async (
  tx: CompanyTx,
  { changeNo, rebuiltNo }: SearchProgress,
): Promise<void> => {
  await tx.query(
    'update notes.search_progress set change_no = $2, rebuilt_no = $3 where company_id = $1',
    [tx.companyId, changeNo, rebuiltNo],
  );
};

/** What is indexed of a note. */
export type NoteToIndex = {
  readonly id: NoteId;
  readonly changeNo: number;
  readonly title: string;
  /** Null: nothing of the text changed since it was indexed. */
  readonly content: string | null;
  readonly folder: string;
  readonly tags: readonly string[];
};

/**
 * A hash of all that is indexed of a note `n`. The number stands for the format of documents: with another one, all are
 * made again as their notes change.
 */
const textHash = `hashtextextended(
  n.title || chr(10) || n.folder || chr(10) || array_to_string(n.tags, chr(10)) || chr(10) || n.content, 1)`;

/** A range of changes to index: at most so many notes and bytes of content, but at least one note. */
export type IndexRange = {
  readonly after: number;
  /** Null: up to the newest. */
  readonly upTo: number | null;
  readonly limit: number;
  readonly bytesMax: number;
  /** Texts of notes whose text did not change are read too. */
  readonly withUnchanged: boolean;
};

/**
 * The notes of the next changes, in their order. Deleted notes are indexed too, because lists of deleted notes are
 * searchable.
 */
export const listNotesToIndex = (
  tx: CompanyTx,
  { after, upTo, limit, bytesMax, withUnchanged }: IndexRange,
): Promise<NoteToIndex[]> =>
  tx.query<NoteToIndex>(
    `with next as materialized (
       select n.change_no, row_number() over part as place, sum(n.size) over part as bytes
       from (
         select n.change_no, n.size from notes.notes n
         where n.company_id = $1 and n.change_no > $2 and n.change_no <= coalesce($3, 9223372036854775807)
         order by n.change_no
         limit $4
       ) n
       window part as (order by n.change_no rows unbounded preceding)
     )
     select n.id, n.change_no as "changeNo", n.title,
       case when $6 or s.text_hash is null or s.text_hash <> ${textHash} then n.content end as content,
       n.folder, n.tags
     from next
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = $1 and n.change_no = any (array[next.change_no])
       order by n.change_no
     ) n
     left join lateral (
       select s.text_hash from notes.note_search s
       where s.company_id = $1 and s.note_id = any (array[n.id])
       order by s.note_id
     ) s on true
     where next.place = 1 or next.bytes <= $5
     order by n.change_no`,
    [tx.companyId, after, upTo, limit, bytesMax, withUnchanged],
  );

/** A document of a note, in the text format of `tsvector`. */
export type IndexedNote = Pick<NoteToIndex, 'id' | 'changeNo'> & {
  readonly document: string;
  readonly wordCount: number;
};

/** Stores the documents of notes that did not change since they were read; those that did are indexed later. */
export const upsertDocuments = async (
  tx: CompanyTx,
  documents: readonly IndexedNote[],
): Promise<void> => {
  await tx.query(
    `insert into notes.note_search as s (company_id, note_id, document, text_hash, words)
     select n.company_id, n.id, d.document::tsvector, ${textHash}, d.words
     from unnest($2::uuid[], $3::bigint[], $4::text[], $5::integer[])
       as d (id, change_no, document, words)
     join notes.notes n on n.company_id = $1 and n.id = d.id and n.change_no = d.change_no
     on conflict (company_id, note_id) do update set document = excluded.document,
       text_hash = excluded.text_hash, words = excluded.words`,
    [
      tx.companyId,
      documents.map(({ id }) => id),
      documents.map(({ changeNo }) => changeNo),
      documents.map(({ document }) => document),
      documents.map(({ wordCount }) => wordCount),
    ],
  );
};

/**
 * The words of stored documents that these new ones of the same notes do not have. The first digits of a term are those
 * of its company.
 */
export const listRemovedWords = async (
  tx: CompanyTx,
  documents: readonly Pick<IndexedNote, 'id' | 'document'>[],
  limit: number,
): Promise<string[]> => {
  const rows = await tx.query<{ word: string }>(
    `select distinct substr(t.term, 7) as word
     from unnest($2::uuid[], $3::text[]) as d (id, document)
     join notes.note_search s on s.company_id = $1 and s.note_id = d.id
     cross join lateral (
       select unnest(tsvector_to_array(s.document)) as term
       except select unnest(tsvector_to_array(d.document::tsvector))
     ) t
     limit $4`,
    [tx.companyId, documents.map(({ id }) => id), documents.map(({ document }) => document), limit],
  );
  return rows.map(({ word }) => word);
};

/** A company whose documents are of an earlier release, with the number of changes to index. */
export type SearchToRebuild = { readonly companyId: CompanyId; readonly pending: number };

/** The companies whose index has documents of an earlier release. */
export const listSearchesToRebuild = (tx: GlobalTx): Promise<SearchToRebuild[]> =>
  tx.query<SearchToRebuild>(
    `select r.company_id as "companyId", r.pending::float8 as pending
     from notes.searches_to_rebuild() r
     order by r.company_id`,
  );
