import type { CompanyTx } from './scoped-tx.ts';
import type { RunQuery } from './transaction.ts';

const plannedOnceBy = new WeakMap<RunQuery, RunQuery>();

/** Says how the statements of a door are run with one plan. */
export const withPlannedOnce = (query: RunQuery, plannedOnceQuery: RunQuery): RunQuery => {
  plannedOnceBy.set(query, plannedOnceQuery);
  return query;
};

/**
 * Runs named statements of `read` with one plan for all values. PostgreSQL plans a statement again with each run where a
 * plan for these values looks cheaper, such as for a short array; for a large statement that takes longer than running it.
 * For statements whose plan should be the same whatever the values are. Other doors run them as any other.
 */
export const plannedOnce = ({ query }: Pick<CompanyTx, 'query'>): RunQuery =>
  plannedOnceBy.get(query) ?? query;
