import type { CompanyId } from '@commonplace/contracts/core';
import { read, write, type Db } from '@commonplace/db';
import { expireOverdueRuns, listCompaniesWithOverdueRuns } from '../queries/runs.ts';
import { systemActor } from './audit.ts';
import { finalizeRuns } from './finalize-runs.ts';
import { trustChange } from './begin-change.ts';

/** Runs per round; the next round continues after them. */
const runsMax = 500;

/** Rounds per call. */
const roundsMax = 20;

/**
 * Ends every run whose token expired without a renewal, company by company. Safe to run in several
 * processes: each skips rows that another one has locked. Returns the number of runs ended.
 */
export const expireRuns = async (db: Db, now: Date): Promise<number> => {
  let ended = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const endedNow = await expireOnce(db, now);
    ended += endedNow;
    if (endedNow < runsMax) {
      break;
    }
  }
  return ended;
};

/**
 * One round over the runs that expired first. If one company fills the round, the next round
 * reaches the others.
 */
const expireOnce = async (db: Db, now: Date): Promise<number> => {
  const companies = await read(db, 'global', (tx) =>
    listCompaniesWithOverdueRuns(tx, now, runsMax),
  );
  let ended = 0;
  const failures: unknown[] = [];
  for (const companyId of companies) {
    try {
      ended += await expireInCompany(db, companyId, now);
    } catch (error) {
      // A failure in one company must not keep the runs of the others alive.
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be ended');
  }
  return ended;
};

const expireInCompany = (db: Db, companyId: CompanyId, now: Date): Promise<number> =>
  write(db, companyId, async (scope) => {
    const tx = trustChange(scope, 'the token of the run has expired');
    const runs = await expireOverdueRuns(tx, now, runsMax);
    await finalizeRuns(tx, { runs, action: 'run.expired' }, { actor: systemActor, at: now });
    return runs.length;
  });
