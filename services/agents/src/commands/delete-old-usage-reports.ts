import { usageReportDays } from '@commonplace/contracts/agents';
import { read, write, type Db } from '@commonplace/db';
import { deleteOldReports, listCompaniesWithOldReports } from '../queries/usage-reports.ts';
import { trustChange } from './begin-change.ts';

/** Reports per transaction. */
const batchReports = 1_000;

/** Rounds per call. */
const roundsMax = 20;

/**
 * Deletes the reports that are older than 90 days; the sums of their runs, days and models stay. Safe to run in several
 * processes. Returns how many.
 */
export const deleteOldUsageReports = async (db: Db, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - usageReportDays * 86_400_000);
  let deleted = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const companies = await read(db, 'global', (tx) =>
      listCompaniesWithOldReports(tx, before, batchReports),
    );
    let deletedNow = 0;
    for (const companyId of companies) {
      deletedNow += await write(db, companyId, (scope) =>
        deleteOldReports(trustChange(scope, 'the reports have expired'), before, batchReports),
      );
    }
    deleted += deletedNow;
    if (deletedNow === 0) {
      break;
    }
  }
  return deleted;
};
