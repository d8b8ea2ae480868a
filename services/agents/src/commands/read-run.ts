import { AppError, type RunId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { findRun } from '../queries/find-run.ts';
import type { RunRow } from '../queries/run-row.ts';

/** Reads a run, or 404. */
export const readRun = async (tx: CompanyTx, runId: RunId): Promise<RunRow> => {
  const run = await findRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  return run;
};
