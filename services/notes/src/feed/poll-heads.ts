import { runPeriodically } from '@commonplace/concurrency';
import type { CompanyId } from '@commonplace/contracts/core';
import { runGlobal, type Db } from '@commonplace/db';
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

const readHeads = async (db: Db, companies: readonly CompanyId[]): Promise<HeadRow[]> => {
  const read = (ids: readonly CompanyId[]) => runGlobal(db, (tx) => listHeads(tx, ids));
  try {
    return await read(companies);
  } catch (error) {
    if (!db.isCitus || companies.length === 1) {
      throw error;
    }
    return readHeadsOneByOne(read, companies);
  }
};

/** A node of Citus that is down fails the statement for the companies of all nodes. Fails only if no company can be read. */
const readHeadsOneByOne = async (
  read: (ids: readonly CompanyId[]) => Promise<HeadRow[]>,
  companies: readonly CompanyId[],
): Promise<HeadRow[]> => {
  const heads: HeadRow[] = [];
  const errors: unknown[] = [];
  for (const id of companies) {
    await read([id]).then(
      (rows) => void heads.push(...rows),
      (error: unknown) => void errors.push(error),
    );
  }
  if (errors.length === companies.length) {
    throw errors[0];
  }
  return heads;
};
