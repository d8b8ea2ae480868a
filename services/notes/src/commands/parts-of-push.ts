import type { CompanyId } from '@commonplace/contracts/core';
import type { Db } from '@commonplace/db';
import { storedBudget } from '../policy/stored-budget.ts';
import type { SubmittedChange } from './change.ts';
import { mayMerge, planMerges } from './prepare-merges.ts';

/** A part of a list: from `start` to before `end`. */
export type Part = { readonly start: number; readonly end: number };

/**
 * Divides the changes of a push so that each part merges a bounded number of stored bytes, and at least one note.
 * Most pushes are one part, and only those that may merge more than that cost a look at the sizes.
 */
export const partsOf = async (
  db: Db,
  companyId: CompanyId,
  changes: readonly SubmittedChange[],
): Promise<readonly Part[]> => {
  const whole = changes.length === 0 ? [] : [{ start: 0, end: changes.length }];
  if (changes.filter(mayMerge).length <= storedBudget.mergesUncounted) {
    return whole;
  }
  const { moved } = await planMerges(db, companyId, changes);
  if (moved.length === 0) {
    return whole;
  }
  const bytesOf = new Map(moved.map(({ id, base, bytes }) => [`${id}:${base}`, bytes]));
  const parts: Part[] = [];
  let [start, bytes] = [0, 0];
  changes.forEach((change, index) => {
    const own = mayMerge(change) ? (bytesOf.get(`${change.id}:${change.baseRevision}`) ?? 0) : 0;
    if (index > start && bytes + own > storedBudget.partBytes) {
      parts.push({ start, end: index });
      [start, bytes] = [index, 0];
    }
    bytes += own;
  });
  return [...parts, { start, end: changes.length }];
};
