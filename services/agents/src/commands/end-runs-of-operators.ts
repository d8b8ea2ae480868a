import { newId } from '@commonplace/contracts/core';
import {
  hasOperatorCancellation,
  insertSourceCancellation,
  listCompaniesWithRunsOfOperator,
  listOperatorsWithRunningRuns,
} from '../queries/source-cancellations.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { systemActor } from './audit.ts';
import {
  endAccessOfOperators,
  type EndingAccess,
  type SweepDeps,
} from './end-access-of-operators.ts';

/**
 * Ends the runs of operators who were disabled, and those from before the access to the account was taken away. Their
 * tokens are rejected from the moment of that (`verifyRun`); this makes it final, so that they do not come back when
 * the operator is enabled again, and returns what they reserved.
 * Returns the number of operators whose runs it ends.
 */
export const endRunsOfOperators = (deps: SweepDeps): Promise<number> =>
  endAccessOfOperators(deps, {
    listOperators: listOperatorsWithRunningRuns,
    listCompanies: listCompaniesWithRunsOfOperator,
    end: (tx, ending) => queueCancellation(tx, ending, deps.clock()),
  });

/** Two processes may queue the same runs; the second cancellation then finds none. */
const queueCancellation = async (tx: ChangeTx, ending: EndingAccess, at: Date): Promise<void> => {
  if (await hasOperatorCancellation(tx, ending)) {
    return;
  }
  await insertSourceCancellation(tx, {
    id: newId(),
    keyId: null,
    ...ending,
    actor: systemActor,
    at,
  });
};
