import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { binder, noteConditions, type NoteFilters } from './note-filters.ts';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';

/** A word to find notes by, in the text format of `tsquery`. */
export type WordQuery = {
  /** Its index in the query. */
  readonly place: number;
  readonly query: string;
  /** What its rarity is multiplied by. */
  readonly factor: number;
};

/** What words find: the notes with the rarest of them first, and in how many notes each of the words is. */
export type WordMatches = {
  readonly ids: readonly string[];
  readonly weights: readonly number[];
  readonly counts: Readonly<Record<string, number>>;
};

/** The notes with any of these words, by the sum of their weights. Of a word with more than `most` notes, so many. */
export const findWordMatches = async (
  tx: CompanyTx,
  words: readonly WordQuery[],
  { notes, most, limit }: { readonly notes: number; readonly most: number; readonly limit: number },
): Promise<WordMatches> => {
  const [row] = await tx.query<WordMatches>(
    `with hits as materialized (
       select q.place, q.factor, m.id
       from unnest($1::integer[], $2::text[], $3::float8[]) as q (place, query, factor)
       cross join lateral notes.match_notes(q.query::tsquery, $5) as m (id)
     ), words as materialized (
       select h.place, count(*) as notes,
         h.factor * ln(1 + (greatest($4, count(*)) - count(*) + 0.5) / (count(*) + 0.5)) as weight
       from hits h
       group by h.place, h.factor
     ), found as materialized (
       select h.id, sum(w.weight) as weight
       from hits h join words w on w.place = h.place
       group by h.id
       order by sum(w.weight) desc, h.id desc
       limit $6
     )
     select coalesce((select array_agg(f.id) from found f), '{}')::text[] as ids,
       coalesce((select array_agg(f.weight) from found f), '{}')::float8[] as weights,
       coalesce((select json_object_agg(w.place, w.notes) from words w), '{}') as counts`,
    [
      words.map(({ place }) => place),
      words.map(({ query }) => query),
      words.map(({ factor }) => factor),
      notes,
      most,
      limit,
    ],
    'notes: find word matches',
  );
  return row ?? { ids: [], weights: [], counts: {} };
};

/** A note that may be a result. */
export type Candidate = {
  readonly id: NoteId;
  /** The sum of the weights of the words it was found by. */
  readonly weight: number;
  readonly words: number;
  /** Whether it has each of the further words. */
  readonly has: readonly boolean[];
};

export type CandidateSearch = {
  readonly filters: NoteFilters;
  readonly matches: Pick<WordMatches, 'ids' | 'weights'>;
  /** In the text format of `tsquery`: what a note must match besides; null: nothing. */
  readonly required: string | null;
  /** Further words, which did not choose the notes. */
  readonly further: readonly string[];
  readonly limit: number;
};

/** Those of the found notes that pass the filters, in their order. */
export const listCandidates = (
  tx: CompanyTx,
  { filters, matches, required, further, limit }: CandidateSearch,
): Promise<Candidate[]> => {
  const { bind, values } = binder();
  const conditions = noteConditions(tx.companyId, filters, bind);
  const company = bind(tx.companyId);
  const isRequired = required === null ? '' : `and s.document @@ ${bind(required)}::tsquery`;
  return tx.query<Candidate>(
    `select f.id, f.weight, s.words, s.has
     from (
       select f.id, f.weight
       from unnest(${bind(matches.ids)}::uuid[], ${bind(matches.weights)}::float8[]) as f (id, weight)
       order by f.weight desc, f.id desc
     ) f
     cross join lateral (
       select n.id from notes.notes n
       where ${conditions} and n.id = any (array[f.id])
       order by n.id
     ) n
     cross join lateral (
       select coalesce(s.words, length(s.document) / 2) as words,
         array(select s.document @@ q.query::tsquery
           from unnest(${bind(further)}::text[]) with ordinality as q (query, place)
           order by q.place) as has
       from notes.note_search s
       where s.company_id = ${company} and s.note_id = any (array[f.id]) ${isRequired}
       order by s.note_id
     ) s
     limit ${bind(limit)}`,
    values,
  );
};

/**
 * Notes that pass filters and match a query, of the first `looked` that pass. For filters that few notes pass: the notes
 * that rare words find may all be elsewhere.
 */
export const listFilteredMatches = async (
  tx: CompanyTx,
  {
    filters,
    query,
    looked,
    limit,
  }: {
    readonly filters: NoteFilters;
    readonly query: string;
    readonly looked: number;
    readonly limit: number;
  },
): Promise<string[]> => {
  const { bind, values } = binder();
  const conditions = noteConditions(tx.companyId, filters, bind);
  const rows = await tx.query<{ id: string }>(
    `select n.id
     from (
       select n.id from notes.notes n where ${conditions} limit ${bind(looked)}
     ) n
     cross join lateral (
       select s.note_id from notes.note_search s
       where s.company_id = ${bind(tx.companyId)} and s.note_id = any (array[n.id])
         and s.document @@ ${bind(query)}::tsquery
       order by s.note_id
     ) s
     limit ${bind(limit)}`,
    values,
  );
  return rows.map(({ id }) => id);
};

/** The text of a note, perhaps only its beginning, to be compared with a query. */
export type RankedText = {
  readonly id: NoteId;
  readonly title: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly content: string;
  readonly isWhole: boolean;
};

/**
 * The texts of these notes in this order. Up to `bytesMax` bytes together, contents are whole; of the later ones only the
 * first characters are read.
 */
export const listRankedTexts = (
  tx: CompanyTx,
  {
    ids,
    bytesMax,
    charactersMax,
  }: { readonly ids: readonly string[]; readonly bytesMax: number; readonly charactersMax: number },
): Promise<RankedText[]> =>
  tx.query<RankedText>(
    `select n.id, n.title, n.folder, n.tags, n.is_whole as "isWhole",
       case when n.is_whole then n.content else left(n.content, $4) end as content
     from (
       select i.place, n.id, n.title, n.folder, n.tags, n.content,
         sum(n.size) over (order by i.place rows unbounded preceding) <= $3 as is_whole
       from unnest($2::uuid[]) with ordinality as i (id, place)
       cross join lateral (
         select n.* from notes.notes n
         where n.company_id = $1 and n.id = any (array[i.id])
         order by n.id
       ) n
     ) n
     order by n.place`,
    [tx.companyId, ids, bytesMax, charactersMax],
    'notes: list ranked texts',
  );

/** Rows of a list for these notes, in this order. */
export const listRankedRows = (
  tx: CompanyTx,
  { ids, view }: { readonly ids: readonly string[]; readonly view: NoteView },
): Promise<ListedNoteRow[]> =>
  tx.query<ListedNoteRow>(
    `select ${listedColumns(view, 'n.place')}
     from (
       select i.place, n.*
       from unnest($2::uuid[]) with ordinality as i (id, place)
       cross join lateral (
         select n.* from notes.notes n
         where n.company_id = $1 and n.id = any (array[i.id])
         order by n.id
       ) n
     ) n
     order by n.place`,
    [tx.companyId, ids],
  );
