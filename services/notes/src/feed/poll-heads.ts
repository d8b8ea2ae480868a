import { runPeriodically } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { read, readAvailable, type Db } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listHeads, type HeadRow } from '../queries/feed.ts';

/** Delay until changes of other processes are noticed. */
const pollMs = 250;

/** Polls the heads of all companies with listeners, until the signal is aborted. */
export const pollHeads = async (
  { db, feed, log }: Pick<Deps, 'db' | 'feed' | 'log'>,
  stopping: AbortSignal,
): Promise<void> => {
  let isFailing = false;
  const run = async (): Promise<void> => {
    const companies = feed.companies();
    const heads = companies.length > 0 ? await readHeads(db, companies) : [];
    heads.forEach(({ companyId, head }) => feed.publish(companyId, head));
    isFailing = false;
  };
  const onError = (error: unknown): void => {
    // Logged once per outage, not four times a second.
    if (!isFailing) {
      log.warn({ err: error }, 'cannot read the change feed; polling continues');
    }
    isFailing = true;
  };
  await runPeriodically({ run, pauseMs: pollMs, onError }, stopping);
};

const readHeads = (db: Db, companies: readonly CompanyId[]): Promise<HeadRow[]> =>
  readAvailable(db, companies, (ids) => read(db, 'global', (tx) => listHeads(tx, ids)));
