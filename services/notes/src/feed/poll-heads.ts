import { setTimeout as sleep } from 'node:timers/promises';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listHeads } from '../queries/feed.ts';

/** How soon a change that another process made is heard of. */
const pollMs = 250;

/** Reads the heads of all companies that somebody listens to, again and again, until the signal. */
export const pollHeads = async (
  { db, feed, log }: Pick<Deps, 'db' | 'feed' | 'log'>,
  stopping: AbortSignal,
): Promise<void> => {
  let isFailing = false;
  while (!stopping.aborted) {
    const companies = feed.companies();
    try {
      const heads =
        companies.length > 0 ? await runGlobal(db, (tx) => listHeads(tx, companies)) : [];
      heads.forEach(({ companyId, head }) => feed.publish(companyId, head));
      isFailing = false;
    } catch (error) {
      // Once for as long as it lasts: four lines a second would help nobody.
      if (!isFailing) {
        log.warn({ err: error }, 'the change feed cannot be read');
      }
      isFailing = true;
    }
    await sleep(pollMs, undefined, { signal: stopping }).catch(() => undefined);
  }
};
