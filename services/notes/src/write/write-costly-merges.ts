import { newMergeBudget, noMergeBudget } from '../merge/create-merger.ts';
import type { ReserveBytes } from '../limits/stored-budget.ts';
import { restAfter, unlessCostly, unrestedMs, type Costly, type Timed } from './costly-work.ts';
import { planMerges } from './prepare-merges.ts';
import { rehearseMerges, type RehearsalDeps } from './rehearse-merges.ts';

export type CostlyMergeDeps = RehearsalDeps & {
  /** Bounds the texts of costly merges of all companies. */
  readonly reserveMergeBytes: ReserveBytes;
};

/** How often merges are made again because another process has changed the notes. Then both sides are kept. */
const attemptsMax = 20;
/** Bases and current notes, and what becomes of them. */
const bytesPerByte = 2;

/**
 * Makes costly merges in the thread, while no lock is held and other writes of the company go on, and writes the request
 * with all its changes. If a note changes meanwhile, its merge is made again, within the merge time of the request.
 */
export const writeCostlyMerges = async (
  deps: CostlyMergeDeps,
  { companyId, request: given, write }: Costly,
): Promise<Timed> => {
  const { mergeBudget = newMergeBudget() } = given;
  const request = { ...given, mergeBudget, merges: new Map(), hasFreshBases: false };
  let attempts = 0;
  while (attempts < attemptsMax) {
    const { bytes } = await planMerges(deps.db, companyId, [request]);
    const attempt = await deps.reserveMergeBytes(bytesPerByte * bytes, async () => {
      // A part ends where the company has to rest.
      const part = { merges: request.merges, msMax: unrestedMs };
      const made = await rehearseMerges(deps, { companyId, request }, part);
      return { ...made, result: made.isComplete ? await write(request).catch(unlessCostly) : null };
    });
    if (attempt.result) {
      return { result: attempt.result, ms: attempt.ms };
    }
    attempts += attempt.isComplete ? 1 : 0;
    await restAfter(attempt.ms);
  }
  return { result: await write({ ...request, mergeBudget: noMergeBudget }), ms: 0 };
};
