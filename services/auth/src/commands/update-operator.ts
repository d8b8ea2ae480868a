import type { InstanceAction } from '@commonplace/contracts/auth';
import { AppError, type OperatorId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import {
  countOtherAdministrators,
  findOperator,
  type OperatorRow,
  updateOperatorState,
} from '../queries/operators.ts';
import { deleteHandoversBegunBy } from '../queries/handovers.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { lockInstance } from '../queries/instance.ts';
import type { AccountTx } from '../queries/tx.ts';
import { asOperator, trustAccountChange, type ActingOperator } from './as-operator.ts';
import { callerActor, recordActivity, shellActor, type ActivityActor } from './record-activity.ts';
import { assertRecentSignIn } from './require-recent-sign-in.ts';

export type OperatorChange = {
  readonly id: OperatorId;
  readonly disabled?: boolean | undefined;
  readonly isAdmin?: boolean | undefined;
};

/**
 * Disables, enables or promotes an operator on behalf of an administrator. Changes are serialized
 * by the lock on the instance, so that two administrators cannot remove each other at once.
 */
export const updateOperator = (
  deps: Pick<Deps, 'db' | 'clock'>,
  acting: Omit<ActingOperator, 'as'>,
  change: OperatorChange,
): Promise<OperatorRow> =>
  asOperator(deps, { ...acting, as: 'administrator' }, async (tx) => {
    const now = deps.clock();
    if (await makesAdministrator(tx, change)) {
      await assertRecentSignIn(tx, acting.caller, now);
    }
    return applyTo(tx, change, { actor: callerActor(acting.caller), at: now });
  });

/** Whether somebody would be an administrator who can sign in, and is not now. */
const makesAdministrator = async (
  tx: AccountTx,
  { id, isAdmin, disabled }: OperatorChange,
): Promise<boolean> => {
  if (isAdmin !== true && disabled !== false) {
    return false;
  }
  const before = await findOperator(tx, id);
  const wasAdministrator = before?.isAdmin === true && before.disabledAt === null;
  return before !== null && !wasAdministrator && (isAdmin ?? before.isAdmin);
};

/** The same from the server's shell. */
export const updateOperatorFromShell = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  change: OperatorChange,
): Promise<OperatorRow> =>
  write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    await lockInstance(tx);
    return applyTo(tx, change, { actor: shellActor, at: clock() });
  });

type By = { readonly actor: ActivityActor; readonly at: Date };

const applyTo = async (tx: AccountTx, change: OperatorChange, by: By): Promise<OperatorRow> => {
  const before = await findOperator(tx, change.id);
  if (!before) {
    throw new AppError('not_found');
  }
  const wasDisabled = before.disabledAt !== null;
  const isDisabled = change.disabled ?? wasDisabled;
  const isAdmin = change.isAdmin ?? before.isAdmin;
  const removesAdministrator = before.isAdmin && !wasDisabled && (isDisabled || !isAdmin);
  if (removesAdministrator && (await countOtherAdministrators(tx, before.id)) === 0) {
    throw new AppError('last_administrator');
  }
  const isNewlyDisabled = isDisabled && !wasDisabled;
  const after = await updateOperatorState(tx, {
    id: before.id,
    isAdmin,
    disabledAt: isDisabled ? (before.disabledAt ?? by.at) : null,
    isNewEpoch: isNewlyDisabled,
  });
  for (const action of actionsOf({ wasDisabled, isDisabled, wasAdmin: before.isAdmin, isAdmin })) {
    await recordActivity(tx, { ...by, action, operator: before });
  }
  // Locks the operator before the sessions, as everywhere; otherwise a concurrent sign-in deadlocks.
  if (isNewlyDisabled) {
    await deleteOtherSessions(tx, { operatorId: before.id, keptId: null });
  }
  if (isNewlyDisabled || (before.isAdmin && !isAdmin)) {
    await deleteHandoversBegunBy(tx, before.id);
  }
  return after ?? before;
};

type Flags = {
  readonly wasDisabled: boolean;
  readonly isDisabled: boolean;
  readonly wasAdmin: boolean;
  readonly isAdmin: boolean;
};

/** What the audit log says of a change; nothing if nothing changed. */
const actionsOf = ({ wasDisabled, isDisabled, wasAdmin, isAdmin }: Flags): InstanceAction[] => [
  ...(isDisabled === wasDisabled
    ? []
    : [isDisabled ? ('operator.disabled' as const) : ('operator.enabled' as const)]),
  ...(isAdmin === wasAdmin
    ? []
    : [isAdmin ? ('administrator.granted' as const) : ('administrator.revoked' as const)]),
];
