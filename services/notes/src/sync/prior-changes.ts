import type { SyncChange } from '@commonplace/contracts/notes';
import type { PriorPush } from './build-results.ts';

/**
 * What earlier parts sent to the notes of this one, from the same base: a later change of the same request
 * follows it, whichever parts the two are in. `results` belong to the first of `changes`.
 */
export const priorChanges = (
  part: readonly SyncChange[],
  changes: readonly SyncChange[],
  results: readonly PriorPush['outcome'][],
): PriorPush[] => {
  const chains = new Set(part.map(chainOf));
  const earlier = new Map<string, PriorPush>();
  results.forEach((outcome, index) => {
    const change = changes[index];
    if (change && chains.has(chainOf(change)) && outcome.status !== 'rejected') {
      earlier.set(chainOf(change), { change, outcome });
    }
  });
  return [...earlier.values()];
};

const chainOf = ({ id, baseRevision }: SyncChange): string => `${id}:${baseRevision}`;
