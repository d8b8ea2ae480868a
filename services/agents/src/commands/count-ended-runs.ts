import type { CompanyId } from '@commonplace/contracts/core';
import { read, write, type Db } from '@commonplace/db';
import {
  listCompaniesWithUncountedRuns,
  markUncountedRuns,
  recordUsage,
} from '../queries/usage.ts';
import { trustChange } from './begin-change.ts';

/** Runs per transaction; short ones, so that the runs they lock soon end. */
const runsMax = 500;

/** Rounds per call. */
const roundsMax = 20;

/**
 * Adds runs to the sums that ended before the sums were kept, or in a process of an earlier release. Safe to run in several
 * processes: each skips rows that another one has locked. Returns the number of runs added.
 */
export const countEndedRuns = async (db: Db): Promise<number> => {
  let counted = 0;
  const failures: unknown[] = [];
  for (let round = 0; round < roundsMax; round += 1) {
    const companies = await read(db, 'global', (tx) => listCompaniesWithUncountedRuns(tx, runsMax));
    let countedNow = 0;
    for (const companyId of companies) {
      try {
        countedNow += await countInCompany(db, companyId);
      } catch (error) {
        // A failure in one company must not keep the runs of the others uncounted.
        failures.push(error);
      }
    }
    counted += countedNow;
    if (countedNow === 0) {
      break;
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Runs of some companies could not be counted');
  }
  return counted;
};

const countInCompany = (db: Db, companyId: CompanyId): Promise<number> =>
  write(db, companyId, async (scope) => {
    const tx = trustChange(scope, 'the runs have ended');
    const runs = await markUncountedRuns(tx, runsMax);
    if (runs.length > 0) {
      await recordUsage(tx, runs);
    }
    return runs.length;
  });
