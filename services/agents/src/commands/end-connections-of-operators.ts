import { localOperatorId, type CompanyId, type OperatorId } from '@commonplace/contracts/core';
import { runGlobal, withCompany } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  listCompaniesWithConnectionsOf,
  listOperatorsWithConnections,
} from '../queries/connections.ts';
import { systemActor } from './audit.ts';
import { trustChange } from './begin-change.ts';
import { endConnections } from './revoke-connections.ts';

/** Operators per lookup of operators, and lookups of accounts at once. */
const pageSize = 20;

/** Companies of one operator per round. */
const companiesMax = 100;

/** Before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

type SweepDeps = Pick<Deps, 'db' | 'clock' | 'checkOperator'>;

/**
 * Ends the connections of operators who were disabled, and those from before the access to the account was taken away.
 * Their tokens are rejected from the moment of that (`verifyConnection`); this makes it final, so that they do not come
 * back when the operator is enabled again. Safe to run in several processes. Returns the number of such operators.
 */
export const endConnectionsOfOperators = async (deps: SweepDeps): Promise<number> => {
  let ended = 0;
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const from: string = after;
    const operators = await runGlobal(deps.db, (tx) =>
      listOperatorsWithConnections(tx, from, pageSize),
    );
    const outcomes = await Promise.all(operators.map((id) => endFormer(deps, id)));
    ended += outcomes.filter(Boolean).length;
    after = operators.length < pageSize ? undefined : operators.at(-1);
  }
  return ended;
};

type Ending = {
  readonly operatorId: OperatorId;
  /** Null: all of a disabled operator. */
  readonly beforeEpoch: number | null;
  readonly because: string;
};

const endFormer = async (deps: SweepDeps, operatorId: OperatorId): Promise<boolean> => {
  if (operatorId === localOperatorId) {
    return false;
  }
  const { isActive, accessEpoch = 0 } = await deps.checkOperator({ operatorId });
  const ending: Ending = isActive
    ? { operatorId, beforeEpoch: accessEpoch, because: 'access to the account was removed' }
    : { operatorId, beforeEpoch: null, because: 'operator disabled' };
  if (ending.beforeEpoch === 0) {
    return false;
  }
  const companies = await runGlobal(deps.db, (tx) =>
    listCompaniesWithConnectionsOf(tx, ending, companiesMax),
  );
  for (const companyId of companies) {
    await endInCompany(deps, companyId, ending);
  }
  return companies.length > 0;
};

const endInCompany = (
  { db, clock }: SweepDeps,
  companyId: CompanyId,
  ending: Ending,
): Promise<void> =>
  withCompany(db, companyId, (scope) =>
    endConnections(
      trustChange(scope, 'the auth service disabled the operator, or removed its access'),
      ending,
      { actor: systemActor, at: clock() },
    ),
  );
