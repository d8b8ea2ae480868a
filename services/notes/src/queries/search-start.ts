import { plannedOnce, type CompanyTx } from '@commonplace/db';
import type { FeedRow } from './feed.ts';
import { stateColumns, type SearchState } from './search-index.ts';
import { statisticsColumns, type SearchStatistics } from './search-statistics.ts';
import {
  sampleColumns,
  toSample,
  withSample,
  type SampleRow,
  type VisibleSample,
} from './visible-sample.ts';

/** The state of a company before a search: of its feed and its index. */
export type SearchStart = {
  readonly feed: Pick<FeedRow, 'epoch' | 'head' | 'floor'>;
  readonly state: SearchState;
};

type StartRow = SearchStart['feed'] & SearchState;

/** `statistics`: of the company, with the frequencies of the requested terms. */
export type KnownStart = SearchStart & { readonly statistics: SearchStatistics };

/** `generation`: of the statistics of the company. `sample`: null if too few notes are visible. */
export type SampledStart = SearchStart & {
  readonly generation: number;
  readonly sample: VisibleSample | null;
};

const tables = `notes.company_feed f
     left join notes.search_statistics s on s.company_id = $1`;

/** All that is read before a search, in one statement, with the frequencies of some terms; null before the first write. */
export const findSearchStart = async (
  tx: CompanyTx,
  terms: readonly string[],
): Promise<KnownStart | null> => {
  const [row] = await tx.query<StartRow & SearchStatistics>(
    `select f.epoch, f.head, f.floor, ${stateColumns}, ${statisticsColumns}
     from ${tables}
     where f.company_id = $1`,
    [tx.companyId, terms],
    'notes.find-search-start',
  );
  if (!row) {
    return null;
  }
  const { epoch, head, floor, newestNo, indexedNo, isRebuilding, ...statistics } = row;
  return {
    feed: { epoch, head, floor },
    state: { newestNo, indexedNo, isRebuilding },
    statistics,
  };
};

/** As `findSearchStart`, with a sample of what a caller with grants sees in place of the statistics. */
export const findSampledStart = async (
  tx: CompanyTx,
  queries: readonly string[],
): Promise<SampledStart | null> => {
  const [row] = await plannedOnce(tx)<StartRow & Pick<SampledStart, 'generation'> & SampleRow>(
    `${withSample}
     select f.epoch, f.head, f.floor, ${stateColumns},
       coalesce(s.generation, 0) as generation, ${sampleColumns}
     from ${tables}
     where f.company_id = $1`,
    [tx.companyId, [...queries]],
    'notes.find-sampled-search-start',
  );
  if (!row) {
    return null;
  }
  const { epoch, head, floor, newestNo, indexedNo, isRebuilding, generation, ...sample } = row;
  return {
    feed: { epoch, head, floor },
    state: { newestNo, indexedNo, isRebuilding },
    generation,
    sample: toSample(sample),
  };
};
