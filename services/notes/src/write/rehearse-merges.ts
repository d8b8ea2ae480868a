import { createYieldInTime } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import type { Merger } from '../merge/create-merger.ts';
import { findFeed } from '../queries/feed.ts';
import { notesOfChange, type WriteRequest } from './change.ts';
import { decideChanges } from './decide-changes.ts';
import { loadBatchState, type LoadedBatchState } from './load-batch-state.ts';
import type { MadeMerges } from './made-merges.ts';
import { createMerge } from './merges.ts';
import { createPutParser } from './parse-put.ts';
import { createVersionCache } from './version-cache.ts';

export type RehearsalDeps = {
  readonly db: Db;
  readonly clock: () => Date;
  readonly merger: Merger;
};

export type Rehearsal = {
  /** Of an earlier part of the rehearsal; new ones are added. */
  readonly merges: MadeMerges;
  /** Ends a part after so much time in the thread. The next one finds its merges made. */
  readonly msMax: number;
};

/** Whether all merges are made, and the time that the thread took for those of this part. */
export type Rehearsed = { readonly isComplete: boolean; readonly ms: number };

/** Yield to the event loop after this time. */
const yieldAfterMs = 2;

/**
 * Decides a request without a lock and without writing anything, to make its costly merges in the thread: exactly those
 * that the request needs if the notes do not change until it is written.
 */
export const rehearseMerges = async (
  deps: RehearsalDeps,
  { companyId, request }: { readonly companyId: CompanyId; readonly request: WriteRequest },
  { merges, msMax }: Rehearsal,
): Promise<Rehearsed> => {
  let ms = 0;
  const merge = createMerge(
    deps.merger.mergeNow,
    async (sides, budget) => {
      const before = budget.msLeft;
      const merged = await deps.merger.merge(sides, budget);
      ms += before - budget.msLeft;
      return merged;
    },
    merges,
  );
  const state = await readState(deps, companyId, request);
  const yieldInTime = createYieldInTime(yieldAfterMs);
  for await (const _outcome of state ? decideChanges({ ...state, merge }, request) : []) {
    if (ms > msMax) {
      return { isComplete: false, ms };
    }
    await yieldInTime();
  }
  return { isComplete: true, ms };
};

/** Null: the company has no note yet, so that there is nothing to merge. */
const readState = (
  { db, clock, merger }: RehearsalDeps,
  companyId: CompanyId,
  request: WriteRequest,
): Promise<LoadedBatchState | null> => {
  const { changes } = request;
  const ids = [...new Set(changes.flatMap(notesOfChange))];
  return read(db, inIndexOrder(companyId), async (tx) =>
    (await findFeed(tx))
      ? loadBatchState(tx, {
          requests: [request],
          changes,
          ids,
          idsToCheck: ids,
          prepared: {
            texts: createVersionCache(),
            merge: createMerge(merger.mergeNow, () => Promise.resolve(null), new Map()),
            costly: new Set(),
          },
          parsePut: createPutParser(),
          at: clock(),
          isRetry: false,
          sharing: { isRepeatedShared: false, isGrowingShared: false },
          readFeed: findFeed,
        })
      : null,
  );
};
