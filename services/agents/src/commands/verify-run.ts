import { localOperatorId, type RunId } from '@commonplace/contracts/core';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { isFormerEpoch } from '../policy/run-source.ts';
import { findRunningRun, type VerifiedRun } from '../queries/runs.ts';

/**
 * Finds a running run whose source may still be responsible for it. An operator's account is in the auth service; if that is
 * unavailable, this fails and grants nothing. The local board operator has no account.
 */
export const verifyRun = async (
  {
    lookups,
    clock,
    mode,
    checkOperator,
  }: Pick<Deps, 'lookups' | 'clock' | 'mode' | 'checkOperator'>,
  runId: RunId,
): Promise<VerifiedRun | null> => {
  const local = mode === 'local_trusted' ? localOperatorId : null;
  const run = await runGlobal(lookups, (tx) =>
    findRunningRun(tx, runId, { now: clock(), localOperatorId: local }),
  );
  const operatorId = run?.sourceOperatorId ?? null;
  if (operatorId === null || operatorId === local) {
    return run;
  }
  const { isActive, accessEpoch } = await checkOperator({ operatorId });
  return run && isActive && !isFormerEpoch(run.sourceEpoch, accessEpoch) ? run : null;
};
