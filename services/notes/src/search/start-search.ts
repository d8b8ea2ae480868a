import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, lookup, read, type Db } from '@commonplace/db';
import { findSampledStart, findSearchStart, type SearchStart } from '../queries/search-start.ts';
import type { SearchStatistics } from '../queries/search-statistics.ts';
import { rankedGroups, searchedTerms } from './ranking/rank-notes.ts';
import { sampledQueries, statisticsOf } from './ranking/visible-statistics.ts';
import { isUpToDate } from './index-wait.ts';
import { termPrefix } from './text/search-document.ts';

/** What is known before a search. */
export type StartedSearch = {
  /** With the generation of the statistics; absent without a search. */
  readonly feed: SearchStart['feed'] & { readonly generation?: number };
  readonly state: SearchStart['state'];
  /** Of what the caller sees, for the words of the query; absent: the search reads them where it needs them. */
  readonly statistics?: SearchStatistics;
};

/** The start of a list that may be a search. */
export type StartedList = Pick<StartedSearch, 'feed'> & Partial<StartedSearch>;

/** A search as it was requested: its query is not parsed yet. */
type RequestedSearch = { readonly q: string; readonly isRanked: boolean };

/** Whether the start of a search reads a sample, which is work of a slot: of ranked searches by callers with grants. */
export const startsWithSample = ({ folders }: Reach, { isRanked }: RequestedSearch): boolean =>
  folders !== null && isRanked;

/**
 * Reads what a search needs in one statement, by primary keys: the state of notes and index, and how frequent the words of the
 * query are. Null before the first write of the company.
 */
export const startSearch = async (
  db: Db,
  reach: Reach,
  { q }: Pick<RequestedSearch, 'q'>,
): Promise<StartedSearch | null> => {
  const terms = searchedTerms(q);
  const start = await lookup(db, reach, (tx) => findSearchStart(tx, terms));
  if (!start) {
    return null;
  }
  const { statistics, state } = start;
  const feed = { ...start.feed, generation: statistics.generation };
  // Those of the company would reveal hidden notes to a caller with grants.
  return { feed, state, ...(reach.folders === null && { statistics }) };
};

/** As `startSearch`, with a sample of what the caller sees (see `startsWithSample`). */
export const startSampled = async (
  db: Db,
  reach: Reach,
  { q }: Pick<RequestedSearch, 'q'>,
): Promise<StartedSearch | null> => {
  const options = { prefix: termPrefix(reach.companyId), isRebuilding: false };
  const queries = sampledQueries(rankedGroups(q), options);
  const start = await read(db, inIndexOrder(reach), (tx) => findSampledStart(tx, queries));
  if (!start) {
    return null;
  }
  const { generation, state, sample } = start;
  const feed = { ...start.feed, generation };
  // Documents of an earlier release have other terms, and a search waits for what is not indexed yet.
  const isSampled = !state.isRebuilding && isUpToDate(state);
  return { feed, state, ...(isSampled && { statistics: statisticsOf(sample) }) };
};
