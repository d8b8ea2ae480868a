import { localOperatorId, type RunId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { isLocalOperator } from '../policy/connections.ts';
import { isFormerEpoch } from '../policy/run-source.ts';
import { findEndedRun, findRunningRun, type EndedRun, type VerifiedRun } from '../queries/runs.ts';
import { endedRunHours } from '@commonplace/contracts/agents';

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
  const local = isLocalOperator(mode, localOperatorId) ? localOperatorId : null;
  const run = await read(lookups, 'global', (tx) =>
    findRunningRun(tx, runId, { now: clock(), localOperatorId: local }),
  );
  const operatorId = run?.sourceOperatorId ?? null;
  if (operatorId === null || isLocalOperator(mode, operatorId)) {
    return run;
  }
  const { isActive, accessEpoch } = await checkOperator({ operatorId });
  return run && isActive && !isFormerEpoch(run.sourceEpoch, accessEpoch) ? run : null;
};

/**
 * Finds a run that has ended within the last hour: its token may repeat reports, and nothing else. What ended it does not
 * matter, unless its company is archived or its agent terminated.
 */
export const verifyEndedRun = (
  { lookups, clock }: Pick<Deps, 'lookups' | 'clock'>,
  runId: RunId,
): Promise<EndedRun | null> => {
  const now = clock();
  const since = new Date(now.getTime() - endedRunHours * 3_600_000);
  return read(lookups, 'global', (tx) => findEndedRun(tx, runId, { since, now }));
};
