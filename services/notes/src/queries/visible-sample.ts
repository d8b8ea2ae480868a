import { plannedOnce, type CompanyTx } from '@commonplace/db';

/** Visible documents that words are counted in at each end of the company, of so many documents there at most. */
const { documents, looked } = { documents: 50, looked: 1_000 } as const;
/** Folders that visible notes are counted in. */
const foldersMax = 1_000;

/** How many notes are visible, at least, and how many of a sample of them match each query. */
export type VisibleSample = {
  readonly notes: number;
  readonly sampled: number;
  readonly wordAverage: number;
  readonly hits: readonly number[];
  /** As if all of the sample were as that of its two halves where fewer match. */
  readonly hitsLeast: readonly number[];
};

/** The visible documents at one end of the company: the newest, or the oldest. */
const visibleAt = (order: 'desc' | 'asc'): string => `(
  select s.document || ''::tsvector as document, s.words, ${order === 'desc'} as "isNewest"
  from (
    select s.note_id, s.document, coalesce(s.words, length(s.document) / 2) as words
    from notes.note_search s
    where s.company_id = $1
    order by s.note_id ${order}
    limit ${looked}
  ) s
  cross join lateral (
    select n.id from notes.notes n
    where n.company_id = $1 and n.id = any (array[s.note_id]) and n.deleted_at is null
    order by n.id
  ) n
  limit ${documents}
)`;

/** How many documents of a half of the sample match each of the queries $2. */
const hitsWhere = (half: string): string => `array(
  select (select count(*)::integer from sample s where ${half} and s.document @@ q.query)
  from unnest($2::tsquery[]) with ordinality as q (query, place)
  order by q.place
)`;

/**
 * A sample of the visible notes of the company $1: half of it are those with the greatest ids, the newest, and half those with
 * the smallest, because a word may be frequent for a time only. Other notes are left out by the policy of notes, which the
 * documents are joined with, and their folders by that of labels.
 */
export const withSample = `with sample as materialized (${visibleAt('desc')} union all ${visibleAt('asc')})`;

/** What is counted in the sample, for the queries $2. */
export const sampleColumns = `(
    select coalesce(sum(l.notes), 0)::float8 from (
      select l.notes from notes.label_counts l
      where l.company_id = $1 and l.kind = 'folder'
      order by l.name
      limit ${foldersMax}
    ) l
  ) as notes,
  (select count(*)::integer from sample) as sampled,
  (select coalesce(avg(s.words), 0)::float8 from sample s) as "wordAverage",
  ${hitsWhere('s."isNewest"')} as newest,
  ${hitsWhere('not s."isNewest"')} as oldest`;

/** The columns of a sample. */
export type SampleRow = Omit<VisibleSample, 'hits' | 'hitsLeast'> & {
  readonly newest: readonly number[];
  readonly oldest: readonly number[];
};

/** Null: too few notes are visible at the ends. */
export const toSample = ({ newest, oldest, ...sample }: SampleRow): VisibleSample | null => {
  if (sample.sampled !== 2 * documents) {
    return null;
  }
  const halves = newest.map((hits, index) => [hits, oldest[index] ?? 0] as const);
  return {
    ...sample,
    hits: halves.map(([one, other]) => one + other),
    hitsLeast: halves.map((counts) => 2 * Math.min(...counts)),
  };
};

/** Counts in a sample of the visible notes. Queries are in the text format of `tsquery`. Null: too few are visible at the ends. */
export const sampleVisibleNotes = async (
  tx: CompanyTx,
  queries: readonly string[],
): Promise<VisibleSample | null> => {
  const [row] = await plannedOnce(tx)<SampleRow>(
    `${withSample} select ${sampleColumns}`,
    [tx.companyId, [...queries]],
    'notes.sample-visible-notes',
  );
  return row ? toSample(row) : null;
};
