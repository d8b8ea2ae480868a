import type { SyncChange } from '@commonplace/contracts/notes';
import { chainOf } from '../rules/change-chain.ts';
import { isTaken } from '../rules/decision.ts';
import type { PriorPush } from './build-results.ts';

/**
 * The changes of earlier parts with the same note and base as a change of this part. A later change of a request
 * builds on them, whichever part it is in. `results[i]` is the outcome of `changes[i]`.
 */
export const priorChanges = (
  part: readonly SyncChange[],
  changes: readonly SyncChange[],
  results: readonly PriorPush['outcome'][],
): PriorPush[] => {
  const chains = new Set(part.map(chainOf));
  const prior = new Map<string, PriorPush>();
  results.forEach((outcome, index) => {
    const change = changes[index];
    if (change && chains.has(chainOf(change)) && isTaken(outcome.status)) {
      prior.set(chainOf(change), { change, outcome });
    }
  });
  return [...prior.values()];
};
