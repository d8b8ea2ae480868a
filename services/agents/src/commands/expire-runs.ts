import type { CompanyId } from '@commonplace/contracts/core';
import { runGlobal, withCompany, type Db } from '@commonplace/db';
import { expireOverdueRuns, listCompaniesWithOverdueRuns } from '../queries/runs.ts';
import { systemActor } from './audit.ts';
import { finalizeRuns } from './finalize-runs.ts';
import { trustChange } from './begin-change.ts';

/** Runs looked at in one go; the next round goes on where this one ended. */
const runsMax = 500;

/** Rounds of one call. */
const roundsMax = 20;

/**
 * Ends every run whose token was not renewed in time, company by company. Any number of processes may
 * do it at once: they pass over what another one holds. Gives back how many runs it ended.
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
 * One look at the runs that lapsed first. Where one company has more of them than a look sees, the next round
 * reaches the others.
 */
const expireOnce = async (db: Db, now: Date): Promise<number> => {
  const companies = await runGlobal(db, (tx) => listCompaniesWithOverdueRuns(tx, now, runsMax));
  let ended = 0;
  const failures: unknown[] = [];
  for (const companyId of companies) {
    try {
      ended += await expireInCompany(db, companyId, now);
    } catch (error) {
      // One company's trouble must not keep the runs of all others alive.
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be ended');
  }
  return ended;
};

const expireInCompany = (db: Db, companyId: CompanyId, now: Date): Promise<number> =>
  withCompany(db, companyId, async (scope) => {
    const tx = trustChange(scope, 'time has passed: a run whose token lapsed has ended');
    const runs = await expireOverdueRuns(tx, now, runsMax);
    await finalizeRuns(tx, { runs, action: 'run.expired' }, { actor: systemActor, at: now });
    return runs.length;
  });
