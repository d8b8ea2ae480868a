import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import { plannedOnce, type CompanyTx } from '@commonplace/db';
import { binder, isFiltered, noteConditions, type Bind, type NoteFilters } from './note-filters.ts';
import { listedColumns, type ListedNoteRow } from './note-rows.ts';
import type { WeightedNotes } from './ranked-search.ts';

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
  /** As `listRankedRows` reads it, without content; null: it was not read. */
  readonly row: ListedNoteRow | null;
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
  /** Whether the rows of a list are read as well: for a few candidates that takes less time than another statement. */
  readonly areRowsRead: boolean;
};

/**
 * Up to `bytesMax` bytes together, contents are whole; of the later ones, and of those that have more alone, only the first
 * characters are read.
 */
type TextLimits = {
  readonly notesMax: number;
  readonly bytesMax: number;
  readonly charactersMax: number;
};

type CandidateRow = Pick<Candidate, 'id' | 'weight' | 'words'> & {
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
  const { filters, required, areRowsRead } = search;
  const { bind, values } = binder();
  const statement = statementOf(tx.companyId, search, bind);
  const candidateOf = areRowsRead ? listedCandidate : plainCandidate;
  const { granted = null, ...others } = filters;
  if (isFiltered(others) || filters.deleted !== 'exclude') {
    return (await tx.query<CandidateRow>(statement, values)).map(candidateOf);
  }
  const kind = [
    ...(granted === null ? [] : ['-in-folders']),
    ...(required === null ? [] : ['-that-are-required']),
    ...(isDocumentRead(search) ? [] : ['-by-their-words']),
    ...(areRowsRead ? ['-with-rows'] : []),
  ].join('');
  const name = `notes.list-candidates${kind}`;
  return (await plannedOnce(tx)<CandidateRow>(statement, values, name)).map(candidateOf);
};

/** `noteConditions` makes the company the first parameter, which the columns of a list need. */
const statementOf = (companyId: CompanyId, search: CandidateSearch, bind: Bind): string => {
  const { filters, matches, limit, texts, areRowsRead } = search;
  const conditions = noteConditions(companyId, filters, bind);
  const documents = documentsOf(search, bind(companyId), bind);
  const read = areRowsRead ? 'n.*' : 'n.id, n.size, n.title, n.folder, n.tags, n.content';
  const [bytesMax, charactersMax] = [bind(texts.bytesMax), bind(texts.charactersMax)];
  const returned = areRowsRead
    ? listedColumns('summary', 'n.place')
    : 'n.id, t.title, t.folder, t.tags';
  return `
    with candidates as materialized (
      select ${read}, s.words, f.weight + s.weight as weight
      from (
        select f.id, f.weight
        from unnest(${bind(matches.ids)}::uuid[], ${bind(matches.weights)}::float8[]) as f (id, weight)
        order by f.weight desc, f.id desc
      ) f
      cross join lateral (
        select ${read} from notes.notes n
        where ${conditions} and n.id = any (array[f.id])
        order by n.id
      ) n
      cross join lateral (${documents}) s
      limit ${bind(limit)}
    ), placed as (
      select c.*, row_number() over best as place,
        sum(case when c.size > ${bytesMax} then ${charactersMax} else c.size end) over best as bytes,
        c.size <= ${bytesMax} as fits
      from candidates c
      window best as (order by c.weight desc, c.id desc rows unbounded preceding)
    )
    select ${returned}, n.weight, n.words,
      case when n.fits and n.bytes <= ${bytesMax} then t.content
        else left(t.content, ${charactersMax}) end as content,
      n.fits and n.bytes <= ${bytesMax} as "isWhole"
    from placed n
    left join lateral (
      select n.title, n.folder, n.tags, n.content where n.place <= ${bind(texts.notesMax)}
    ) t on true
    order by n.place`;
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

const plainCandidate = ({ id, weight, words, ...row }: CandidateRow): Candidate => ({
  id,
  weight,
  words,
  text: row.content === null ? null : (row as RankedText),
  row: null,
});

const listedCandidate = ({ weight, words, isWhole, content, ...row }: CandidateRow): Candidate => {
  const { id, title, folder, tags } = row as ListedNoteRow;
  const text = { title, folder, tags, content, isWhole };
  return {
    id,
    weight,
    words,
    text: content === null ? null : (text as RankedText),
    row: row as ListedNoteRow,
  };
};
