import type { UseQueryResult } from '@tanstack/react-query';

/** What a query has come to. A query that failed is pending again with every further attempt, so the attempts are counted. */
type Attempts = Pick<UseQueryResult, 'data' | 'isLoading' | 'errorUpdateCount'>;

/** Whether there was a result, be it a failure. Once so, it stays so. */
export const isSettled = ({ isLoading, errorUpdateCount }: Attempts): boolean =>
  !isLoading || errorUpdateCount > 0;

/** Whether there was nothing but failures. */
export const hasFailed = ({ data, errorUpdateCount }: Attempts): boolean =>
  data === undefined && errorUpdateCount > 0;
