import { pause } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { readHead } from './ensure-feed.ts';

export type HeadWait = {
  readonly companyId: CompanyId;
  /** The head the client knows. */
  readonly since: number;
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/**
 * Waits until the head differs from `since`, and returns it then or when the time is up. A position beyond
 * the head is from before a restore, so it returns immediately.
 */
export const waitForHead = async (
  { db, feed }: Pick<Deps, 'db' | 'feed'>,
  { companyId, since, waitMs, signal }: HeadWait,
): Promise<number> => {
  const ending = AbortSignal.any([signal, feed.closing]);
  const change = Promise.withResolvers<number>();
  // Subscribes before it reads the head, so that no commit is missed. A notification may carry a head that
  // was read before the last commit, so only a head beyond the position counts.
  const stop = feed.subscribe(companyId, (head) => {
    if (head > since) {
      change.resolve(head);
    }
  });
  try {
    const head = await readHead(db, companyId);
    if (head !== since || waitMs === 0 || ending.aborted) {
      return head;
    }
    return await Promise.race([change.promise, pause(waitMs, ending).then(() => head)]);
  } finally {
    stop();
  }
};
