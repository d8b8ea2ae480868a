import type { CompanyTx } from '@commonplace/db';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';
import { binder, noteConditions, type NoteFilters } from './note-filters.ts';
import type { PagePosition } from './list-notes.ts';

/**
 * True when notes of the company changed since they were last indexed. Compares the newest change only: for an
 * `exists` on newer changes the planner would scan all notes.
 */
export const hasUnindexedNotes = async (tx: CompanyTx): Promise<boolean> => {
  const [row] = await tx.query<{ isBehind: boolean }>(
    `select coalesce(
       (select n.change_no from notes.notes n
        where n.company_id = $1 order by n.change_no desc limit 1), 0)
     > coalesce(
       (select p.change_no from notes.search_progress p where p.company_id = $1), 0) as "isBehind"`,
    [tx.companyId],
    'notes: has unindexed notes',
  );
  return row?.isBehind ?? false;
};

/** Limits of one indexing statement: notes and bytes of content, at least one note. */
export type IndexPart = {
  readonly after: number;
  readonly limit: number;
  readonly bytesMax: number;
};

/** Content beyond this size is not indexed (`notes.search_document`). */
const indexedBytesMax = 256 * 1024;

/**
 * Indexes the next notes that changed after a position, and advances it; true: more may be pending. Deleted notes
 * stay in the index, because lists of deleted notes are searchable.
 */
export const indexNotes = async (
  tx: CompanyTx,
  { after, limit, bytesMax }: IndexPart,
): Promise<boolean> => {
  const [row] = await tx.query<{ hasMore: boolean }>(
    `with next as materialized (
       select n.id, n.change_no, row_number() over part as place,
         sum(least(n.size, ${indexedBytesMax})) over part as bytes
       from (
         select n.id, n.change_no, n.size from notes.notes n
         where n.company_id = $1 and n.change_no > $2
         order by n.change_no
         limit $3
       ) n
       window part as (order by n.change_no rows unbounded preceding)
     ), changed as materialized (
       select n.id, n.change_no, notes.search_document(n.title, n.content) as document
       from next
       cross join lateral (
         select n.id, n.change_no, n.title, n.content from notes.notes n
         where n.company_id = $1 and n.change_no = any (array[next.change_no])
         order by n.change_no
       ) n
       where next.place = 1 or next.bytes <= $4
     ), documents as (
       insert into notes.note_search as s (company_id, note_id, document)
       select $1, c.id, c.document from changed c
       on conflict (company_id, note_id) do update set document = excluded.document
         where s.document is distinct from excluded.document
     ), progress as (
       update notes.search_progress p set change_no = c.last
       from (select max(change_no) as last from changed) c
       where p.company_id = $1 and c.last is not null
     )
     select (select count(*) from changed) < (select count(*) from next)
       or (select count(*) from next) = $3 as "hasMore"`,
    [tx.companyId, after, limit, bytesMax],
  );
  return row?.hasMore ?? false;
};

/** Locks the indexing of a company until COMMIT; returns the last indexed change number. */
export const lockSearchProgress = async (tx: CompanyTx): Promise<number> => {
  await tx.query(
    `insert into notes.search_progress (company_id, change_no) values ($1, 0)
     on conflict (company_id) do nothing`,
    [tx.companyId],
  );
  const [row] = await tx.query<{ changeNo: number }>(
    `select p.change_no as "changeNo" from notes.search_progress p where p.company_id = $1 for update`,
    [tx.companyId],
  );
  return row?.changeNo ?? 0;
};

/** Most matches that are ranked; ranking that many takes about an eighth of a second. */
const rankedMax = 5_000;

/** The limit for later pages, so that a ranked search stays ranked while matches grow. */
const continuedMax = 4 * rankedMax;

/**
 * The ids of the notes that match a full-text search; null: too many to rank. `isContinued`: a later page of a
 * ranked search, which may have more matches.
 */
export const searchNoteIds = async (
  tx: CompanyTx,
  { q, isContinued }: { readonly q: string; readonly isContinued: boolean },
): Promise<string[] | null> => {
  const max = isContinued ? continuedMax : rankedMax;
  const rows = await tx.query<{ id: string }>(
    "select m.id from notes.match_notes(websearch_to_tsquery('simple', $1), $2) as m (id)",
    [q, max + 1],
  );
  return rows.length > max ? null : rows.map(({ id }) => id);
};

/** A page of a ranked search. */
export type NoteSearch = NoteFilters & {
  readonly view: NoteView;
  /** In the syntax of `websearch_to_tsquery`, which takes any text. */
  readonly q: string;
  /** The notes that match `q`. */
  readonly foundIds: readonly string[];
  readonly after: PagePosition | null;
  readonly limit: number;
};

/**
 * Lists the results of a full-text search, best match first. The id breaks ties of equal ranks. A rank (float4)
 * survives the round trip through the cursor unchanged.
 */
export const searchNotes = (tx: CompanyTx, search: NoteSearch): Promise<ListedNoteRow[]> => {
  const { bind, values } = binder();
  const { after, limit } = search;
  const conditions = noteConditions(tx.companyId, search, bind);
  const keyset = after
    ? `where (n.rank, n.id) < (${bind(after[0])}::real, ${bind(after[1])}::uuid)`
    : '';
  const inOrder = 'n.rank desc, n.id desc';
  const statement = `
    select ${listedColumns(search.view, inOrder)}, n.rank
    from (
      select n.*
      from (
        select n.*, ts_rank(s.document, websearch_to_tsquery('simple', ${bind(search.q)})) as rank
        from notes.note_search s
        cross join lateral (
          select n.* from notes.notes n
          where ${conditions} and n.id = any (array[s.note_id])
          order by n.id
        ) n
        where s.company_id = ${bind(tx.companyId)}
          and s.note_id = any (${bind(search.foundIds)}::uuid[])
      ) n
      ${keyset}
      order by ${inOrder}
      limit ${bind(limit)}
    ) n
    order by ${inOrder}`;
  return tx.query<ListedNoteRow>(statement, values);
};
