import { AppError, type OperatorId } from '@commonplace/contracts/core';
import { withGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  countOtherAdministrators,
  findOperator,
  type OperatorRow,
  updateOperatorState,
} from '../queries/operators.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { lockInstance } from '../queries/instance.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, trustAccountChange, type ActingOperator } from './as-operator.ts';

export type OperatorChange = {
  readonly id: OperatorId;
  readonly disabled?: boolean | undefined;
  readonly isAdmin?: boolean | undefined;
};

/**
 * Disables, enables or promotes an operator on behalf of an administrator, who must still be one. Changes of
 * any operators take turns behind the instance's lock, so that two administrators cannot take each other
 * away at once.
 */
export const updateOperator = (
  deps: Pick<Deps, 'db' | 'clock' | 'sessions'>,
  acting: Omit<ActingOperator, 'as'>,
  change: OperatorChange,
): Promise<OperatorRow> =>
  asOperator(deps, { ...acting, as: 'administrator' }, (tx) => applyTo(tx, change, deps.clock()));

/** The same from the server's shell. */
export const updateOperatorFromShell = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  change: OperatorChange,
): Promise<OperatorRow> =>
  withGlobal(db, async (scope) => {
    const tx = trustAccountChange(scope, 'who has the shell of the server decides');
    await lockInstance(tx);
    return applyTo(tx, change, clock());
  });

const applyTo = async (tx: AccountTx, change: OperatorChange, now: Date): Promise<OperatorRow> => {
  const before = await findOperator(tx, change.id);
  if (!before) {
    throw new AppError('not_found');
  }
  const wasDisabled = before.disabled_at !== null;
  const isDisabled = change.disabled ?? wasDisabled;
  const isAdmin = change.isAdmin ?? before.is_admin;
  const losesAdministrator = before.is_admin && !wasDisabled && (isDisabled || !isAdmin);
  if (losesAdministrator && (await countOtherAdministrators(tx, before.id)) === 0) {
    throw new AppError('last_administrator');
  }
  const isNewlyDisabled = isDisabled && !wasDisabled;
  const after = await updateOperatorState(tx, {
    id: before.id,
    isAdmin,
    disabledAt: isDisabled ? (before.disabled_at ?? now) : null,
    isNewEpoch: isNewlyDisabled,
  });
  // Operator first, sessions after, as everywhere: else a sign-in at the same time is a deadlock.
  if (isNewlyDisabled) {
    await deleteOtherSessions(tx, { operatorId: before.id, keptId: null });
  }
  return after ?? before;
};
