import type { CompanyId } from '@commonplace/contracts/core';
import type { LimitHeavyWork } from '../limits/heavy-work-limiter.ts';
import type { WriteResult } from './change.ts';
import { CostlyWorkError, restAfter, type Costly, type Timed } from './costly-work.ts';
import { writeCostlyEdit, type CostlyEditDeps } from './write-costly-edit.ts';
import { writeCostlyMerges, type CostlyMergeDeps } from './write-costly-merges.ts';

export type CostlyDeps = CostlyEditDeps &
  CostlyMergeDeps & {
    /** Costly edits and merges of a company: one at a time, and few that wait. */
    readonly limitCostlyWork: LimitHeavyWork;
  };

/**
 * Writes a request. If it needs a thread, it gives up its place in the queue, has the work done while no lock is held
 * and other writes of the company go on, and is written then.
 */
export const writeCostly = async (deps: CostlyDeps, costly: Costly): Promise<WriteResult> => {
  const { companyId, request, write } = costly;
  try {
    return await write(request);
  } catch (error) {
    if (!(error instanceof CostlyWorkError)) {
      throw error;
    }
    const [change] = request.changes;
    return inSlot(deps.limitCostlyWork, companyId, () =>
      change?.rule === 'edit'
        ? writeCostlyEdit(deps, costly, change)
        : writeCostlyMerges(deps, costly),
    );
  }
};

/** Holds the slot of the company beyond the result, so that the thread serves other companies in between. */
const inSlot = (
  limit: LimitHeavyWork,
  companyId: CompanyId,
  work: () => Promise<Timed>,
): Promise<WriteResult> =>
  new Promise((resolve, reject) => {
    limit(companyId, async () => {
      const { result, ms } = await work();
      resolve(result);
      await restAfter(ms);
    }).catch(reject);
  });
