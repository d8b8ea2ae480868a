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
  type SourceCancellation,
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
 * Ends the runs of operators who were disabled, and those from before the access to the account was taken away. Their
 * tokens are rejected from the moment of that (`verifyRun`); this makes it final, so that they do not come back when
 * the operator is enabled again, and returns what they reserved. Safe to run in several processes.
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
      operators.map((operatorId) => endFormerRuns(deps, operatorId)),
    );
    ended += outcomes.filter(Boolean).length;
    after = operators.length < pageSize ? undefined : operators.at(-1);
  }
  return ended;
};

/** What ends: every run of a disabled operator, otherwise those of earlier access epochs. */
type Ending = Pick<SourceCancellation, 'operatorId' | 'beforeEpoch' | 'reason'>;

const endFormerRuns = async (deps: SweepDeps, operatorId: OperatorId): Promise<boolean> => {
  if (operatorId === localOperatorId) {
    return false;
  }
  const { isActive, accessEpoch = 0 } = await deps.checkOperator({ operatorId });
  const ending: Ending = isActive
    ? { operatorId, beforeEpoch: accessEpoch, reason: 'access to the account was removed' }
    : { operatorId, beforeEpoch: null, reason: 'operator disabled' };
  if (ending.beforeEpoch === 0) {
    return false;
  }
  const companies = await runGlobal(deps.db, (tx) =>
    listCompaniesWithRunsOfOperator(tx, ending, companiesMax),
  );
  for (const companyId of companies) {
    await queueCancellation(deps, companyId, ending);
  }
  return companies.length > 0;
};

/** Two processes may queue the same runs; the second cancellation then finds none. */
const queueCancellation = (
  { db, clock }: SweepDeps,
  companyId: CompanyId,
  ending: Ending,
): Promise<void> =>
  withCompany(db, companyId, async (scope) => {
    const tx = trustChange(scope, 'the auth service disabled the operator, or removed its access');
    if (await hasOperatorCancellation(tx, ending)) {
      return;
    }
    await insertSourceCancellation(tx, {
      id: newId(),
      keyId: null,
      ...ending,
      actor: systemActor,
      at: clock(),
    });
  });
