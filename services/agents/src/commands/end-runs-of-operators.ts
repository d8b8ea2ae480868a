import {
  localOperatorId,
  newId,
  type CompanyId,
  type OperatorId,
} from '@commonplace/contracts/core';
import { runGlobal, withCompany } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  hasOperatorCancellation,
  insertSourceCancellation,
  listCompaniesWithRunsOfOperator,
  listOperatorsWithRunningRuns,
} from '../queries/source-cancellations.ts';
import { systemActor } from './audit.ts';
import { trustChange } from './begin-change.ts';

/** Operators per lookup of operators, and lookups of accounts at once. */
const pageSize = 20;

/** Companies of one operator per round. */
const companiesMax = 100;

/** Before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

type SweepDeps = Pick<Deps, 'db' | 'clock' | 'checkOperator'>;

/**
 * Ends the runs of operators who were disabled. Their tokens are rejected from the moment of that (`verifyRun`); this
 * makes it final, so that they do not come back when the operator is enabled again. Safe to run in several processes.
 * Returns the number of operators whose runs it ends.
 */
export const endRunsOfOperators = async (deps: SweepDeps): Promise<number> => {
  let ended = 0;
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const from: string = after;
    const operators = await runGlobal(deps.db, (tx) =>
      listOperatorsWithRunningRuns(tx, from, pageSize),
    );
    const outcomes = await Promise.all(
      operators.map((operatorId) => endIfDisabled(deps, operatorId)),
    );
    ended += outcomes.filter(Boolean).length;
    after = operators.length < pageSize ? undefined : operators.at(-1);
  }
  return ended;
};

const endIfDisabled = async (deps: SweepDeps, operatorId: OperatorId): Promise<boolean> => {
  if (operatorId === localOperatorId || (await deps.checkOperator({ operatorId })).isActive) {
    return false;
  }
  const companies = await runGlobal(deps.db, (tx) =>
    listCompaniesWithRunsOfOperator(tx, operatorId, companiesMax),
  );
  for (const companyId of companies) {
    await queueCancellation(deps, companyId, operatorId);
  }
  return true;
};

/** Two processes may queue the same runs; the second cancellation then finds none. */
const queueCancellation = (
  { db, clock }: SweepDeps,
  companyId: CompanyId,
  operatorId: OperatorId,
): Promise<void> =>
  withCompany(db, companyId, async (scope) => {
    const tx = trustChange(scope, 'the auth service disabled the operator');
    if (await hasOperatorCancellation(tx, operatorId)) {
      return;
    }
    await insertSourceCancellation(tx, {
      id: newId(),
      keyId: null,
      operatorId,
      reason: 'operator disabled',
      actor: systemActor,
      at: clock(),
    });
  });
