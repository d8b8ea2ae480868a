import type { CompanyTx } from '@commonplace/db';
import { nameWithoutFilters, type ContextNoteRow, type ContextScope } from './context-notes.ts';
import { binder, noteConditions, type Bind } from './note-filters.ts';
import { summaryColumns } from './note-rows.ts';
import { rankWeights, recency } from './search.ts';

/** Matches that are ranked. A word with more matches says little about a note. */
const matchedMax = 500;

/** Of a large company, words that are in more of its newest 40 notes are not looked for. */
const withWordMax = 5;

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

/** A note that matches a query or one of its words. */
type Hit = { readonly id: string; readonly hasAll: boolean; readonly isCommon: number };

/**
 * The notes that match the whole query, and if these are few, notes with one of its words. Of a large company, frequent
 * words are not looked for: in a million notes, finding all with a word like "the" takes a fifth of a second. The two
 * rarest words are looked for in any case.
 */
const listHits = (tx: CompanyTx, { whole, words, limit, isLarge }: ContextMatch): Promise<Hit[]> =>
  tx.query<Hit>(
    `select m.id, m.has_all as "hasAll", m.is_common as "isCommon"
     from notes.match_context($1::tsquery, $2::text[], $3, $4, $5) m`,
    [whole, words, limit, matchedMax, isLarge ? withWordMax : null],
    'notes: list context hits',
  );

/**
 * The best matches of a query, best first: notes that match all of it, and if these are few, notes with some of its
 * words. Those with more of the rarer words are ranked first. Of too many notes that match all of it, the newest.
 */
export const listContextMatches = async (
  tx: CompanyTx,
  match: ContextMatch,
): Promise<ContextNoteRow[]> => {
  const hits = await listHits(tx, match);
  const { bind, values } = binder();
  const filters = { ...match, taggedIds: null, deleted: 'exclude' } as const;
  const parts = {
    bind,
    conditions: noteConditions(tx.companyId, filters, bind),
    company: bind(tx.companyId),
    limit: bind(match.limit),
  };
  return tx.query<ContextNoteRow>(
    `with ${hitsOf(hits, parts)}, ${rankedOf(match, parts)}, ${newestOf(match, parts)}
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

const hitsOf = (hits: readonly Hit[], { bind }: Parts): string => `
  hits as materialized (
    select h.id, h.has_all, h.is_common
    from unnest(
      ${bind(hits.map(({ id }) => id))}::uuid[], ${bind(hits.map(({ hasAll }) => hasAll))}::boolean[],
      ${bind(hits.map(({ isCommon: each }) => each))}::integer[]
    ) as h (id, has_all, is_common)
  )`;

const isCommon = `(select count(*) > ${matchedMax} from hits h where h.has_all)`;

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
      from hits h
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
