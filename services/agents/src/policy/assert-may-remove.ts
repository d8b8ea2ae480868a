import { AppError, type OperatorId, type Role } from '@commonplace/contracts/core';

/** Everybody may leave a company; to remove others takes an owner (403). */
export const assertMayRemove = (
  memberId: OperatorId,
  caller: { readonly id: string | null; readonly role: Role | null },
): void => {
  if (memberId !== caller.id && caller.role !== 'owner') {
    throw new AppError('role_insufficient');
  }
};
