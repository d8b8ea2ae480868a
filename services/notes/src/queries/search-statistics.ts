import type { CompanyId } from '@commonplace/contracts/core';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

/** How often words occur in a sample of the notes of a company. */
export type SearchStatistics = {
  /** Counts the snapshots; 0: there is none. */
  readonly generation: number;
  /** Active notes when it was made, those in the sample, and their average number of words. */
  readonly notes: number;
  readonly sampled: number;
  readonly wordAverage: number;
  /** Active notes now. */
  readonly notesNow: number;
  /** Of the requested words, those that are frequent: the notes of the sample that have them. */
  readonly terms: Readonly<Record<string, number>>;
  /**
   * Of statistics of what a caller with grants sees: the notes of the sample that have each of the words of the query, in
   * whatever form.
   */
  readonly hits?: readonly number[];
};

/** Of a company that has none. */
export const noStatistics: SearchStatistics = {
  generation: 0,
  notes: 0,
  sampled: 0,
  wordAverage: 0,
  notesNow: 0,
  terms: {},
};

/** Of statistics `s`, feed `f` and the terms $2 of the company $1. */
export const statisticsColumns = `coalesce(s.generation, 0) as generation, coalesce(s.notes, 0) as notes,
  coalesce(s.sampled, 0) as sampled, coalesce(s.word_average, 0)::float8 as "wordAverage",
  f.live_count as "notesNow",
  coalesce((
    select json_object_agg(t.term, t.notes) from notes.search_terms t
    where t.company_id = $1 and t.term = any ($2::text[])
  ), '{}') as terms`;

/** The statistics of a company, with the frequencies of some words. */
export const findSearchStatistics = async (
  tx: CompanyTx,
  terms: readonly string[],
): Promise<SearchStatistics> => {
  const [row] = await tx.query<SearchStatistics>(
    `select ${statisticsColumns}
     from notes.company_feed f
     left join notes.search_statistics s on s.company_id = $1
     where f.company_id = $1`,
    [tx.companyId, terms],
    'notes.find-search-statistics',
  );
  return row ?? noStatistics;
};

export type NoteSample = { readonly notes: number; readonly words: number };

/** How many documents a company has and the average number of their words, of so many in the order of their ids. */
export const measureDocuments = async (tx: CompanyTx, limit: number): Promise<NoteSample> => {
  const [row] = await tx.query<NoteSample>(
    `select count(*)::integer as notes,
       coalesce(avg(coalesce(s.words, length(s.document) / 2)), 0)::float8 as words
     from (
       select s.words, s.document from notes.note_search s where s.company_id = $1
       order by s.note_id desc
       limit $2
     ) s`,
    [tx.companyId, limit],
  );
  return row ?? { notes: 0, words: 0 };
};

export type TermCount = { readonly term: string; readonly notes: number };

/**
 * The terms that at least so many documents have, of a sample of `sampledMax` of `total` documents chosen by a hash of their
 * ids. The statement of `ts_stat` is a text; the id of the company comes from our own parser.
 */
export const listFrequentTerms = (
  tx: CompanyTx,
  {
    total,
    sampledMax,
    notesMin,
  }: { readonly total: number; readonly sampledMax: number; readonly notesMin: number },
): Promise<TermCount[]> => {
  const every = Math.max(1, Math.ceil(total / sampledMax));
  const sample = `select s.document from notes.note_search s
    where s.company_id = '${tx.companyId}' and hashtextextended(s.note_id::text, 0) % ${every} = 0
    limit ${sampledMax}`;
  return tx.query<TermCount>(
    `select substr(t.word, 7) as term, t.ndoc as notes
     from ts_stat($1) t
     where t.ndoc >= $2 and position(chr(1) in t.word) = 0 and length(t.word) > 6`,
    [sample, notesMin],
  );
};

/** Locks the statistics of a company until COMMIT; null: another process makes them. */
export const lockStatistics = async (tx: CompanyTx): Promise<number | null> => {
  await tx.query(
    `insert into notes.search_statistics (company_id, generation, notes, sampled, word_average)
     values ($1, 0, 0, 0, 0)
     on conflict (company_id) do nothing`,
    [tx.companyId],
  );
  const [row] = await tx.query<{ generation: number }>(
    `select s.generation from notes.search_statistics s
     where s.company_id = $1 for update skip locked`,
    [tx.companyId],
  );
  return row?.generation ?? null;
};

/** Replaces the statistics of a company, under their lock. */
export const replaceStatistics = async (
  tx: CompanyTx,
  {
    terms,
    ...statistics
  }: Omit<SearchStatistics, 'terms' | 'notesNow'> & { readonly terms: readonly TermCount[] },
): Promise<void> => {
  const { generation, notes, sampled, wordAverage } = statistics;
  await tx.query('delete from notes.search_terms t where t.company_id = $1', [tx.companyId]);
  await tx.query(
    `insert into notes.search_terms (company_id, term, notes)
     select f.company_id, t.term, t.notes
     from notes.company_feed f
     cross join unnest($2::text[], $3::integer[]) as t (term, notes)
     where f.company_id = $1`,
    [tx.companyId, terms.map(({ term }) => term), terms.map((one) => one.notes)],
  );
  await tx.query(
    `update notes.search_statistics set generation = $2, notes = $3, sampled = $4, word_average = $5
     where company_id = $1`,
    [tx.companyId, generation, notes, sampled, wordAverage],
  );
};

/** A company whose statistics are to be made, with the number of notes by which they are off. */
export type StatisticsToMake = { readonly companyId: CompanyId; readonly pending: number };

/** The companies with at least so many notes whose statistics are missing, or off by a tenth. */
export const listStatisticsToMake = (tx: GlobalTx, notesMin: number): Promise<StatisticsToMake[]> =>
  tx.query<StatisticsToMake>(
    `select s.company_id as "companyId", s.pending::float8 as pending
     from notes.search_statistics_to_make($1) s
     order by s.company_id`,
    [notesMin],
  );
