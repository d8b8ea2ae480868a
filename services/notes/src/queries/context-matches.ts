import type { CompanyTx } from '@commonplace/db';
import { nameWithoutFilters, type ContextNoteRow, type ContextScope } from './context-notes.ts';
import { binder, noteConditions, type Bind } from './note-filters.ts';
import { summaryColumns } from './note-rows.ts';
import { rankWeights, recency } from './search.ts';

/** Matches that are ranked. A word with more matches says little about a note. */
const matchedMax = 500;

/**
 * Of a large company, words that are in more than so many of some notes are not looked for: in a million notes, finding
 * all with a word like "the" takes a fifth of a second. The two rarest words are looked for in any case.
 */
const sample = { notes: 40, withWordMax: 5, words: 2 } as const;

/** What to look for, in the text format of `tsquery`. */
export type ContextMatch = ContextScope & {
  readonly whole: string;
  /** The words of `whole`; empty: it has only one. */
  readonly words: readonly string[];
  readonly rankQuery: string;
  readonly isLarge: boolean;
};

/** What the parts of the statement have in common: expressions of SQL. */
type Parts = {
  readonly bind: Bind;
  readonly conditions: string;
  readonly company: string;
  readonly limit: string;
};

/**
 * The best matches of a query, best first: notes that match all of it, and if these are few, notes with some of its
 * words. Those with more of the rarer words are ranked first. Of too many notes that match all of it, the newest.
 */
export const listContextMatches = (
  tx: CompanyTx,
  match: ContextMatch,
): Promise<ContextNoteRow[]> => {
  const { bind, values } = binder();
  const filters = { ...match, taggedIds: null, deleted: 'exclude' } as const;
  const parts = {
    bind,
    conditions: noteConditions(tx.companyId, filters, bind),
    company: bind(tx.companyId),
    limit: bind(match.limit),
  };
  return tx.query<ContextNoteRow>(
    `with ${hitsOf(match, parts)}, ${rankedOf(match, parts)}, ${newestOf(match, parts)}
     select ${summaryColumns}, left(n.content, ${bind(match.charactersMax)}) as text
     from (select * from ranked union all select * from newest) f
     cross join lateral (
       select n.* from notes.notes n
       where n.company_id = ${parts.company} and n.id = any (array[f.id])
       order by n.id
     ) n
     order by f.place`,
    values,
    nameWithoutFilters(match, 'notes: list context matches'),
  );
};

/** Notes that match the whole query, and notes with its words. */
const hitsOf = (
  { whole, words, isLarge }: ContextMatch,
  { bind, company, limit }: Parts,
): string => `
  whole as materialized (
    select m.id from notes.match_notes(${bind(whole)}::tsquery, ${matchedMax} + 1) as m (id)
  ), sampled as materialized (
    select s.document from notes.note_search s
    where s.company_id = ${company}
    order by s.note_id desc
    limit ${sample.notes}
  ), words as materialized (
    select w.place, w.query, w.notes, row_number() over (order by w.notes, w.place) as rarity
    from (
      select q.place, q.query::tsquery as query,
        (select count(*) from sampled s where s.document @@ q.query::tsquery) as notes
      from unnest(${bind(words)}::text[]) with ordinality as q (query, place)
      where (select count(*) from whole) < ${limit}
    ) w
  ), hits as materialized (
    select m.id, false as has_all,
      (count(*) over (partition by w.place) > ${matchedMax})::integer as is_common
    from words w
    cross join lateral notes.match_notes(w.query, ${matchedMax} + 1) as m (id)
    where not ${bind(isLarge)}::boolean or w.notes <= ${sample.withWordMax}
      or w.rarity <= ${sample.words}
  )`;

const isCommon = `(select count(*) > ${matchedMax} from whole)`;

const documentOf = (noteId: string, { company }: Parts): string => `
  select s.document from notes.note_search s
  where s.company_id = ${company} and s.note_id = any (array[${noteId}])
  order by s.note_id`;

/** The best of the hits by rank, unless too many notes match the whole query. */
const rankedOf = ({ rankQuery }: ContextMatch, parts: Parts): string => `
  candidates as materialized (
    select h.id, h.has_all, n.updated_at
    from (
      select h.id, bool_or(h.has_all) as has_all
      from (select w.id, true as has_all, 0 as is_common from whole w union all table hits) h
      group by h.id
      order by bool_or(h.has_all) desc, count(*) - sum(h.is_common) desc, h.id desc
    ) h
    cross join lateral (
      select n.updated_at from notes.notes n
      where ${parts.conditions} and n.id = any (array[h.id])
      order by n.id
    ) n
    where not ${isCommon}
    limit ${matchedMax}
  ), ranked as materialized (
    select n.id, row_number() over (order by n.has_all desc, n.rank desc, n.id desc) as place
    from (
      select n.id, n.has_all,
        ts_rank(${rankWeights}, s.document, ${parts.bind(rankQuery)}::tsquery, 1) * ${recency} as rank
      from candidates n
      cross join lateral (${documentOf('n.id', parts)}) s
    ) n
    order by n.has_all desc, n.rank desc, n.id desc
    limit ${parts.limit}
  )`;

/** The newest of too many notes that match the whole query. */
const newestOf = ({ whole }: ContextMatch, parts: Parts): string => `
  newest as materialized (
    select n.id, row_number() over (order by n.updated_at desc, n.id desc) as place
    from notes.notes n
    where ${isCommon} and ${parts.conditions}
      and (${documentOf('n.id', parts)}) @@ ${parts.bind(whole)}::tsquery
    order by n.updated_at desc, n.id desc
    limit ${parts.limit}
  )`;
