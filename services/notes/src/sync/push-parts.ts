import type { CompanyId } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import { storedBudget } from '../limits/stored-budget.ts';
import { chainOf } from '../rules/change-chain.ts';
import type { SubmittedChange } from '../write/change.ts';
import { mayMerge, planMerges } from '../write/prepare-merges.ts';

/** A range of changes, `end` excluded, and whether its merges are made. */
export type PushPart = { readonly start: number; readonly end: number; readonly isMerged: boolean };

/**
 * Divides the changes of a push so that each part merges a bounded number of stored bytes, and at least one note.
 * Beyond the merge limit of a request, the rest is one part without merges, so that the response comes in time.
 * Reads sizes only for pushes with many possible merges; most pushes are one part.
 */
export const pushParts = async (
  db: Db,
  companyId: CompanyId,
  changes: readonly SubmittedChange[],
): Promise<readonly PushPart[]> => {
  const whole = changes.length === 0 ? [] : [{ start: 0, end: changes.length, isMerged: true }];
  if (changes.filter(mayMerge).length <= storedBudget.mergesUncounted) {
    return whole;
  }
  const { staleBases } = await planMerges(db, companyId, [{ changes }]);
  if (staleBases.length === 0) {
    return whole;
  }
  const bytesOf = new Map(
    staleBases.map(({ id, base, bytes }) => [chainOf({ id, baseRevision: base }), bytes]),
  );
  return divide(
    changes.map((change) => (mayMerge(change) ? (bytesOf.get(chainOf(change)) ?? 0) : 0)),
  );
};

/** Divides changes by the bytes each merges. */
export const divide = (bytesOfEach: readonly number[]): readonly PushPart[] => {
  const parts: PushPart[] = [];
  let [start, bytes, bytesBefore] = [0, 0, 0];
  for (const [index, own] of bytesOfEach.entries()) {
    if (index > start && bytes + own > storedBudget.partBytes) {
      parts.push({ start, end: index, isMerged: true });
      [start, bytes, bytesBefore] = [index, 0, bytesBefore + bytes];
    }
    bytes += own;
    if (bytesBefore + bytes > storedBudget.requestBytes) {
      break;
    }
  }
  const isMerged = bytesBefore + bytes <= storedBudget.requestBytes;
  return [...parts, { start, end: bytesOfEach.length, isMerged }];
};
