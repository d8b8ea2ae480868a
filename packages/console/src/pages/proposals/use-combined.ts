import type { Schema } from '@commonplace/client';
import type { Combined } from '@commonplace/merge';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/query-keys.ts';
import { combineInWorker } from '../notes/diff/combine-in-worker.ts';
import type { Comparison } from './use-comparison.ts';

/**
 * Where a proposal overlaps with what others wrote: the texts that keep either side. Null if the two cannot be combined here,
 * undefined until that is known, or if nothing overlaps.
 */
export const useCombined = (
  { companyId, id, current }: Schema<'ProposalDetail'>,
  comparison: Comparison | null,
): Combined | null | undefined => {
  const isOverlap = comparison?.kind === 'overlap' && current !== null;
  const { data } = useQuery({
    queryKey: [...keys.proposal(companyId, id), 'combined', current?.revision ?? 0],
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
  return isOverlap ? data : undefined;
};
