import type { NoteId } from '@commonplace/contracts/core';
import { plannedOnce, type CompanyTx } from '@commonplace/db';
import { binder, isFiltered, noteConditions, type Bind, type NoteFilters } from './note-filters.ts';
import { listedColumns, type ListedNoteRow, type NoteView } from './note-rows.ts';

/** A word to find notes by, in the text format of `tsquery`. */
export type WordQuery = {
  /** Its index in the query. */
  readonly place: number;
  readonly query: string;
  /** Documents that are looked at before the index is read: words are frequent. 0: none. */
  readonly looked: number;
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
};

/** Notes among the first documents that are enough to do without the index. */
const enoughFound = 100;

/** The notes with any of these words, by the sum of their weights. Of a word with more than `most` notes, so many. */
export const findWordMatches = async (
  tx: CompanyTx,
  words: readonly WordQuery[],
  { notes, most, limit }: { readonly notes: number; readonly most: number; readonly limit: number },
): Promise<WordMatches> => {
  const [row] = await plannedOnce(tx)<WordMatches>(
    `with hits as materialized (
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
       coalesce((select json_object_agg(w.place, w.notes) from words w), '{}') as counts
     from (
       select count(*)::integer as notes, coalesce(array_agg(f.id), '{}')::text as ids,
         coalesce(array_agg(f.weight), '{}')::text as weights
       from found f
     ) f`,
    [
      words.map(({ place }) => place),
      words.map(({ query }) => query),
      words.map(({ looked }) => looked),
      notes,
      most,
      limit,
      enoughFound,
    ],
    'notes: find word matches',
  );
  return row ?? { notes: 0, ids: '{}', weights: '{}', counts: {} };
};

/** The text of a note, perhaps only its beginning, to be compared with a query. */
export type RankedText = {
  readonly title: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly content: string;
  readonly isWhole: boolean;
};

/** A note that may be a result. */
export type Candidate = {
  readonly id: NoteId;
  /** The sum of the weights of the words it has. */
  readonly weight: number;
  readonly words: number;
  /** Null: it is not among the first ones. */
  readonly text: RankedText | null;
};

export type CandidateSearch = {
  readonly filters: NoteFilters;
  readonly matches: WeightedNotes;
  /** In the text format of `tsquery`: what a note must match besides; null: nothing. */
  readonly required: string | null;
  /** Further words, which did not choose the notes, with their weights. */
  readonly further: { readonly queries: readonly string[]; readonly weights: readonly number[] };
  readonly limit: number;
  /** How many of the candidates have their text, and how much of it. */
  readonly texts: TextLimits;
};

/** Up to `bytesMax` bytes together, contents are whole; of the later ones only the first characters are read. */
type TextLimits = {
  readonly notesMax: number;
  readonly bytesMax: number;
  readonly charactersMax: number;
};

type CandidateRow = Omit<Candidate, 'text'> & {
  readonly [Key in keyof RankedText]: RankedText[Key] | null;
};

/**
 * Those of the found notes that pass the filters, by the weights of all words, with the texts of the first. Documents are
 * unpacked once for all further words, and not at all without any. A statement with few conditions is frequent, so
 * it has a name.
 */
export const listCandidates = async (
  tx: CompanyTx,
  search: CandidateSearch,
): Promise<Candidate[]> => {
  const { filters, matches, required, limit, texts } = search;
  const { bind, values } = binder();
  const conditions = noteConditions(tx.companyId, filters, bind);
  const isUnpacked = isDocumentRead(search);
  const documents = documentsOf(search, bind(tx.companyId), bind);
  const statement = `
    with candidates as materialized (
      select n.id, n.size, n.title, n.folder, n.tags, n.content, s.words, f.weight + s.weight as weight
      from (
        select f.id, f.weight
        from unnest(${bind(matches.ids)}::uuid[], ${bind(matches.weights)}::float8[]) as f (id, weight)
        order by f.weight desc, f.id desc
      ) f
      cross join lateral (
        select n.id, n.size, n.title, n.folder, n.tags, n.content from notes.notes n
        where ${conditions} and n.id = any (array[f.id])
        order by n.id
      ) n
      cross join lateral (${documents}) s
      limit ${bind(limit)}
    ), placed as (
      select c.*, row_number() over best as place, sum(c.size) over best as bytes
      from candidates c
      window best as (order by c.weight desc, c.id desc rows unbounded preceding)
    )
    select p.id, p.weight, p.words, t.title, t.folder, t.tags,
      case when p.bytes <= ${bind(texts.bytesMax)} then t.content
        else left(t.content, ${bind(texts.charactersMax)}) end as content,
      p.bytes <= ${bind(texts.bytesMax)} as "isWhole"
    from placed p
    left join lateral (
      select p.title, p.folder, p.tags, p.content where p.place <= ${bind(texts.notesMax)}
    ) t on true
    order by p.place`;
  const { granted = null, ...others } = filters;
  if (isFiltered(others) || filters.deleted !== 'exclude') {
    return (await tx.query<CandidateRow>(statement, values)).map(candidateOf);
  }
  const kind = [
    ...(granted === null ? [] : [' in folders']),
    ...(required === null ? [] : [' that are required']),
    ...(isUnpacked ? [] : [' by their words']),
  ].join('');
  const name = `notes: list candidates${kind}`;
  return (await plannedOnce(tx)<CandidateRow>(statement, values, name)).map(candidateOf);
};

const isDocumentRead = ({ required, further }: CandidateSearch): boolean =>
  required !== null || further.queries.length > 0;

/** The words of the document of a found note `f`, and the weights of the further words that it has. */
const documentsOf = (search: CandidateSearch, company: string, bind: Bind): string => {
  const { required, further } = search;
  const documents = `notes.note_search s where s.company_id = ${company} and s.note_id = any (array[f.id])
    order by s.note_id`;
  const words = 'coalesce(s.words, length(s.document) / 2) as words';
  if (!isDocumentRead(search)) {
    return `select ${words}, 0 as weight from ${documents}`;
  }
  return `
    select s.words, coalesce((
      select sum(q.weight)
      from unnest(${bind(further.queries)}::tsquery[], ${bind(further.weights)}::float8[]) as q (query, weight)
      where s.document @@ q.query), 0) as weight
    from (select ${words}, s.document || ''::tsvector as document from ${documents} offset 0) s
    ${required === null ? '' : `where s.document @@ ${bind(required)}::tsquery`}`;
};

const candidateOf = ({ id, weight, words, ...row }: CandidateRow): Candidate => ({
  id,
  weight,
  words,
  text: row.content === null ? null : (row as RankedText),
});

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
    `notes: list ranked rows, ${view}`,
  );
