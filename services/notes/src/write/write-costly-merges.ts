import { setTimeout as pause } from 'node:timers/promises';
import { newMergeBudget, noMergeBudget } from '../merge/create-merger.ts';
import type { ReserveBytes } from '../limits/byte-budget.ts';
import type { WriteRequest, WriteResult } from './change.ts';
import { unlessCostly, unrestedMs, type Costly, type Timed } from './costly-work.ts';
import { planMerges } from './prepare-merges.ts';
import { rehearseMerges, type Rehearsed, type RehearsalDeps } from './rehearse-merges.ts';

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
  { companyId, submission, write }: Costly,
): Promise<Timed> => {
  const { mergeBudget = newMergeBudget() } = submission;
  const request = { ...submission, mergeBudget, merges: new Map() };
  let attempts = 0;
  while (attempts < attemptsMax) {
    const { bytes } = await planMerges(deps.db, companyId, [request]);
    const attempt = await deps.reserveMergeBytes(bytesPerByte * bytes, async () => {
      const made = await rehearseMerges(deps, { companyId, request }, { ...request, msMax });
      return { ...made, result: made.isComplete ? await attemptOf(write, request) : null };
    });
    if (attempt.result) {
      return { result: attempt.result, ms: attempt.ms };
    }
    attempts += attempt.isComplete ? 1 : 0;
    await rest(attempt);
  }
  return { result: await write({ ...request, mergeBudget: noMergeBudget }), ms: 0 };
};

/** The time in the thread after which the company lets others go first. */
const msMax = unrestedMs;

/** Null: a note changed since. */
const attemptOf = (write: Costly['write'], request: WriteRequest): Promise<WriteResult | null> =>
  write(request).catch(unlessCostly);

const rest = async ({ ms }: Rehearsed): Promise<void> => {
  await pause(Math.max(0, ms - unrestedMs), undefined, { ref: false });
};
