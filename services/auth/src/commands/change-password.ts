import { AppError } from '@commonplace/contracts/core';
import { withGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import type { OperatorRow } from '../queries/operators.ts';
import type { AccountTx } from '../queries/tx.ts';
import { updatePassword, type NewPassword } from '../queries/passwords.ts';
import { asOperator, trustAccountChange, type ActingOperator } from './as-operator.ts';

export type PasswordChange = {
  readonly acting: ActingOperator;
  /** The account as of the verification of its current password. */
  readonly verified: OperatorRow;
  readonly newPassword: string;
};

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'sessions'>;

/**
 * Changes the password of an operator and ends all its sessions, including that of the caller.
 * Throws 401 if the session ended or the password changed while the new one was hashed.
 */
export const changePassword = async (
  deps: ChangeDeps,
  { acting, verified, newPassword }: PasswordChange,
): Promise<OperatorRow> => {
  assertStrongPassword(newPassword, verified.email);
  const { hash: passwordHash, pepperId } = await deps.passwords.hash(newPassword);
  const { id, password_hash: formerHash, session_epoch: epoch } = verified;
  return asOperator(deps, acting, async (tx) => {
    const former = { passwordHash: formerHash, epoch };
    const changed = await replacePassword(tx, { id, passwordHash, pepperId, verified: former });
    if (!changed) {
      throw new AppError('invalid_credentials', 'The password was changed in the meantime.');
    }
    return changed;
  });
};

/** Sets the password of an operator from the server's shell, regardless of its sessions. */
export const resetPassword = async (
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  { id, email }: Pick<OperatorRow, 'id' | 'email'>,
  newPassword: string,
): Promise<void> => {
  assertStrongPassword(newPassword, email);
  const { hash: passwordHash, pepperId } = await passwords.hash(newPassword);
  await withGlobal(db, async (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    if (!(await replacePassword(tx, { id, passwordHash, pepperId, verified: null }))) {
      throw new AppError('not_found');
    }
  });
};

const replacePassword = async (
  tx: AccountTx,
  password: NewPassword,
): Promise<OperatorRow | null> => {
  const changed = await updatePassword(tx, password);
  if (changed) {
    await deleteOtherSessions(tx, { operatorId: password.id, keptId: null });
  }
  return changed;
};
