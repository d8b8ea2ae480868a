import { AppError } from '@commonplace/contracts/core';
import { withGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { assertStrongPassword } from '../policy/assert-strong-password.ts';
import { deleteOtherSessions } from '../queries/delete-other-sessions.ts';
import type { OperatorRow } from '../queries/operator-row.ts';
import { updatePassword } from '../queries/update-password.ts';

/** Sets an operator's password and ends every session of it, that of the caller too. */
export const changePassword = async (
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  operator: Pick<OperatorRow, 'id' | 'email'>,
  newPassword: string,
): Promise<OperatorRow> => {
  assertStrongPassword(newPassword, operator.email);
  const { hash, pepperId } = await passwords.hash(newPassword);
  return withGlobal(db, async (tx) => {
    const changed = await updatePassword(tx, { id: operator.id, passwordHash: hash, pepperId });
    if (!changed) {
      throw new AppError('not_found');
    }
    await deleteOtherSessions(tx, { operatorId: operator.id, keptId: null });
    return changed;
  });
};
