import type { Schema } from '@commonplace/client';
import type { Combined } from '@commonplace/merge';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { WorkerError } from '../../app/workers/worker-error.ts';
import { combineInWorker } from '../notes/diff/combine-in-worker.ts';
import type { Comparison } from './use-comparison.ts';

/** Where a proposal overlaps with what others wrote. */
export type Combining = {
  /** The texts that keep either side. Null: not combined here; undefined: not yet, or nothing overlaps. */
  readonly combined: Combined | null | undefined;
  /** Why they could not be combined now. */
  readonly error: WorkerError | null;
  readonly retry: () => void;
};

/** Combines a proposal with what others wrote, where the two overlap. */
export const useCombined = (
  { companyId, id, current }: Schema<'ProposalDetail'>,
  comparison: Comparison | null,
): Combining => {
  const client = useQueryClient();
  const isOverlap = comparison?.kind === 'overlap' && current !== null;
  const key = keys.proposal(companyId, id);
  const { data, error } = useQuery({
    queryKey: [...key, 'combined', current?.revision ?? 0],
    queryFn: ({ signal }) =>
      !isOverlap || comparison.base === null
        ? null
        : combineInWorker({
            input: {
              base: comparison.base.content,
              ours: current.content,
              theirs: comparison.after.content,
            },
            signal,
          }),
    enabled: isOverlap,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    combined: isOverlap ? (error ? null : data) : undefined,
    error: isOverlap && error instanceof WorkerError ? error : null,
    retry: () =>
      ['merged', 'combined'].forEach(
        (part) =>
          void client.resetQueries({
            queryKey: [...key, part],
            predicate: ({ state }) => state.status === 'error',
          }),
      ),
  };
};
