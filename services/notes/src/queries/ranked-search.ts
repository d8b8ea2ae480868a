import { plannedOnce, type CompanyTx } from '@commonplace/db';
import { binder, noteConditions, type NoteFilters } from './note-filters.ts';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';
import { lastCharacter } from './after-prefix.ts';
import { similarMax, type WordEdges } from './search-words.ts';

/** A word to find notes by, in the text format of `tsquery`. */
export type WordQuery = {
  /** Its index in the query. */
  readonly place: number;
  readonly query: string;
  /** Documents that are looked at before the index is read: words are frequent. 0: none. */
  readonly looked: number;
  /** If no note has the word, words with one of these edges are read. Null or absent: none are. */
  readonly edges?: WordEdges | null;
};

/** Notes with weights: arrays in the text format of PostgreSQL, which go from one statement to the next as they are. */
export type WeightedNotes = {
  readonly notes: number;
  readonly ids: string;
  readonly weights: string;
};

/** What words find: the notes with the rarest of them first, and in how many notes each of the words is. */
export type WordMatches = WeightedNotes & {
  readonly counts: Readonly<Record<string, number>>;
  /** The words that those which no note has may stand for. */
  readonly similar: Readonly<Record<string, readonly string[]>>;
};

/** Notes among the first documents that are enough to do without the index. */
const enoughFound = 100;

/** Of words $1 to $3 with edges $8 to $10. Similar words are read for those alone that no note has. */
const wordMatches = `with hits as materialized (
   select q.place, m.id
   from unnest($1::integer[], $2::tsquery[], $3::integer[]) as q (place, query, looked)
   cross join lateral notes.match_frequent(q.query, q.looked, $7, $5) as m (id)
 ), words as materialized (
   select h.place, h.notes, ln(1 + (greatest($4::float8, h.notes) - h.notes + 0.5) / (h.notes + 0.5)) as weight
   from (select h.place, count(*)::float8 as notes from hits h group by h.place) h
 ), found as materialized (
   select h.id, sum(w.weight) as weight
   from hits h join words w on w.place = h.place
   group by h.id
   order by sum(w.weight) desc, h.id desc
   limit $6
 )
 select f.notes, f.ids, f.weights,
   coalesce((select json_object_agg(w.place, w.notes) from words w), '{}') as counts,
   coalesce((
     select json_object_agg(m.place, array(
       select s.word
       from notes.similar_words(m.beginning, m.beginning || $11, m.ending, m.ending || $11,
         m.length - $12, m.length + $12, $14) as s (word)))
     from (
       select q.place, q.beginning, q.ending, q.length
       from unnest($1::integer[], $8::text[], $9::text[], $10::integer[])
         as q (place, beginning, ending, length)
       where q.beginning is not null and not exists (select from words w where w.place = q.place)
       order by q.place
       limit $13
     ) m), '{}') as similar
 from (
   select count(*)::integer as notes, coalesce(array_agg(f.id), '{}')::text as ids,
     coalesce(array_agg(f.weight), '{}')::text as weights
   from found f
 ) f`;

/** The notes with any of these words, by the sum of their weights. Of a word with more than `most` notes, so many. */
export const findWordMatches = async (
  tx: CompanyTx,
  words: readonly WordQuery[],
  { notes, most, limit }: { readonly notes: number; readonly most: number; readonly limit: number },
): Promise<WordMatches> => {
  const values = [
    words.map(({ place }) => place),
    words.map(({ query }) => query),
    words.map(({ looked }) => looked),
    notes,
    most,
    limit,
    enoughFound,
    words.map(({ edges }) => edges?.beginning ?? null),
    words.map(({ edges }) => edges?.ending ?? null),
    words.map(({ edges }) => edges?.length ?? null),
    lastCharacter,
    similarMax.letters,
    similarMax.misspelled,
    similarMax.words,
  ];
  const [row] = await plannedOnce(tx)<WordMatches>(wordMatches, values, 'notes.find-word-matches');
  return row ?? { notes: 0, ids: '{}', weights: '{}', counts: {}, similar: {} };
};

/**
 * Notes that pass filters and match a query, beside known ones, of the first `looked` that pass. For filters that few
 * notes pass: the notes that rare words find may all be elsewhere.
 */
export const listFilteredMatches = async (
  tx: CompanyTx,
  {
    filters,
    query,
    known,
    looked,
    limit,
  }: {
    readonly filters: NoteFilters;
    readonly query: string;
    readonly known: WeightedNotes;
    readonly looked: number;
    readonly limit: number;
  },
): Promise<WeightedNotes> => {
  const { bind, values } = binder();
  const conditions = noteConditions(tx.companyId, filters, bind);
  const [row] = await tx.query<WeightedNotes>(
    `select count(*)::integer as notes, coalesce(array_agg(m.id), '{}')::text as ids,
       coalesce(array_agg(0), '{}')::text as weights
     from (
     select n.id
     from (
       select n.id from notes.notes n where ${conditions} limit ${bind(looked)}
     ) n
     cross join lateral (
       select s.note_id from notes.note_search s
       where s.company_id = ${bind(tx.companyId)} and s.note_id = any (array[n.id])
         and s.document @@ ${bind(query)}::tsquery
       order by s.note_id
     ) s
     where n.id <> all (${bind(known.ids)}::uuid[])
     limit ${bind(limit)}
     ) m`,
    values,
  );
  return row ?? { notes: 0, ids: '{}', weights: '{}' };
};

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
    `notes.list-ranked-rows-${view}`,
  );
