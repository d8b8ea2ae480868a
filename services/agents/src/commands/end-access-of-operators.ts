import { localOperatorId, type CompanyId, type OperatorId } from '@commonplace/contracts/core';
import { read, write, type GlobalTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { ChangeTx } from '../queries/tx.ts';
import { trustChange } from './begin-change.ts';

/** Operators per lookup of operators, and lookups of accounts at once. */
const pageSize = 20;

/** Companies of one operator per round. */
const companiesMax = 100;

/** Before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** What ends: everything of a disabled operator, otherwise what is of earlier access epochs. */
export type EndingAccess = {
  readonly operatorId: OperatorId;
  /** Null means all of a disabled operator. */
  readonly beforeEpoch: number | null;
  readonly reason: string;
};

/** What operators are responsible for, such as runs. */
export type OperatorAccess = {
  /** Operators that are responsible for something now, by id. */
  readonly listOperators: (tx: GlobalTx, after: string, limit: number) => Promise<OperatorId[]>;
  readonly listCompanies: (
    tx: GlobalTx,
    ending: EndingAccess,
    limit: number,
  ) => Promise<CompanyId[]>;
  /** Ends it in one company. Another process may do the same. */
  readonly end: (tx: ChangeTx, ending: EndingAccess) => Promise<void>;
};

export type SweepDeps = Pick<Deps, 'db' | 'clock' | 'checkOperator'>;

/**
 * Ends what operators were responsible for who were disabled, and what is from before the access to the account was taken
 * away. Safe to run in several processes. Returns the number of such operators.
 */
export const endAccessOfOperators = async (
  deps: SweepDeps,
  access: OperatorAccess,
): Promise<number> => {
  let ended = 0;
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const from: string = after;
    const operators = await read(deps.db, 'global', (tx) =>
      access.listOperators(tx, from, pageSize),
    );
    const outcomes = await Promise.all(operators.map((id) => endOfOperator(deps, access, id)));
    ended += outcomes.filter(Boolean).length;
    after = operators.length < pageSize ? undefined : operators.at(-1);
  }
  return ended;
};

const endOfOperator = async (
  { db, checkOperator }: SweepDeps,
  access: OperatorAccess,
  operatorId: OperatorId,
): Promise<boolean> => {
  if (operatorId === localOperatorId) {
    return false;
  }
  const { isActive, accessEpoch = 0 } = await checkOperator({ operatorId });
  const ending: EndingAccess = isActive
    ? { operatorId, beforeEpoch: accessEpoch, reason: 'access to the account was removed' }
    : { operatorId, beforeEpoch: null, reason: 'operator disabled' };
  if (ending.beforeEpoch === 0) {
    return false;
  }
  const companies = await read(db, 'global', (tx) =>
    access.listCompanies(tx, ending, companiesMax),
  );
  for (const companyId of companies) {
    await write(db, companyId, (scope) =>
      access.end(
        trustChange(scope, 'the auth service disabled the operator, or removed its access'),
        ending,
      ),
    );
  }
  return companies.length > 0;
};
