import { AppError, type SessionId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import type { OperatorRow } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';
import { moveSessionToEpoch } from '../queries/sessions.ts';
import { updatePassword, type NewPassword } from '../queries/passwords.ts';
import { trustAccountChange } from './as-operator.ts';
import { asRenewedOperator, type RenewedOperator } from './as-renewed-operator.ts';
import { evictAccess, type EvictedAccess } from './evict-access.ts';
import { ownActivity, recordActivity, shellActor } from './record-activity.ts';

export type PasswordChange = {
  readonly acting: RenewedOperator;
  /** The account as of the verification of its current password. */
  readonly verified: OperatorRow;
  readonly newPassword: string;
  readonly address: string;
};

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'sessions'>;

/**
 * Changes the password of an operator and ends all its sessions except that of the caller, which
 * keeps its limits and how it was signed in, and is renewed. Throws 401 if the session ended or the password changed
 * while the new one was hashed.
 */
export const changePassword = async (
  deps: ChangeDeps,
  { acting, verified, newPassword, address }: PasswordChange,
): Promise<void> => {
  assertStrongPassword(newPassword, verified.email);
  const share = { account: verified.email, address };
  const { hash: passwordHash, pepperId } = await deps.passwords.hash(newPassword, share);
  const { id, passwordHash: formerHash, sessionEpoch: epoch } = verified;
  const { sessionId: keptId } = acting.caller;
  await asRenewedOperator(deps, acting, async (tx) => {
    const former = { passwordHash: formerHash, epoch };
    const password = { id, passwordHash, pepperId, verified: former };
    const changed = await replacePassword(tx, password, keptId);
    if (!changed) {
      throw new AppError('invalid_credentials', 'The password was changed in the meantime.');
    }
    if (keptId !== null) {
      await moveSessionToEpoch(tx, { id: keptId, epoch: changed.sessionEpoch });
    }
    const at = deps.clock();
    await recordActivity(tx, ownActivity(acting.caller, { action: 'password.changed', at }));
  });
};

/**
 * Sets the password of an operator from the server's shell and removes every other way into the account: somebody may
 * have planted one. Returns what was removed.
 */
export const resetPassword = async (
  { db, clock, passwords }: Pick<Deps, 'db' | 'clock' | 'passwords'>,
  { id, email }: Pick<OperatorRow, 'id' | 'email'>,
  newPassword: string,
): Promise<EvictedAccess> => {
  assertStrongPassword(newPassword, email);
  const { hash: passwordHash, pepperId } = await passwords.hash(newPassword);
  return write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    const evicted = await evictAccess(tx, id);
    if (!(await updatePassword(tx, { id, passwordHash, pepperId, verified: null }))) {
      throw new AppError('not_found');
    }
    await recordActivity(tx, {
      actor: shellActor,
      action: 'password.reset',
      operator: { id, email },
      at: clock(),
      detail: evicted,
    });
    return evicted;
  });
};

const replacePassword = async (
  tx: AccountTx,
  password: NewPassword,
  keptId: SessionId | null,
): Promise<OperatorRow | null> => {
  const changed = await updatePassword(tx, password);
  if (changed) {
    await deleteOtherSessions(tx, { operatorId: password.id, keptId });
  }
  return changed;
};
