import { addAbortListener } from 'node:events';
import type { CompanyId } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';
import { readHead } from './ensure-feed.ts';

export type HeadWait = {
  readonly companyId: CompanyId;
  /** The position known already. */
  readonly since: number;
  readonly waitMs: number;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
};

/**
 * Waits until the feed is not at a position, and gives where it stands then or when the time is up. A
 * position ahead of the feed is one of before a backup was brought back: there is nothing to wait for.
 */
export const waitForHead = async (
  { db, feed }: Pick<Deps, 'db' | 'feed'>,
  { companyId, since, waitMs, signal }: HeadWait,
): Promise<number> => {
  const enough = AbortSignal.any([signal, feed.closing]);
  const news = Promise.withResolvers<number>();
  // Listening comes first: a commit between the two is then heard, not missed. What is heard may be a head
  // that was read before the last commit, so here only one beyond the position is news.
  const stop = feed.subscribe(companyId, (head) => {
    if (head > since) {
      news.resolve(head);
    }
  });
  try {
    const head = await readHead(db, companyId);
    if (head !== since || waitMs === 0 || enough.aborted) {
      return head;
    }
    return await Promise.race([news.promise, timeUp(waitMs, enough).then(() => head)]);
  } finally {
    stop();
  }
};

/** Resolves after the time, or as soon as nobody waits any more. */
const timeUp = (ms: number, enough: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    addAbortListener(enough, () => {
      clearTimeout(timer);
      resolve();
    });
  });
