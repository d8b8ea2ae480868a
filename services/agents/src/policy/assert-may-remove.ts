import { AppError, type OperatorId, type Role } from '@commonplace/contracts/core';

/** Everybody may leave a company; to remove others takes an owner (403). */
export const assertMayRemove = (
  memberId: OperatorId,
  caller: { readonly operatorId: OperatorId; readonly role: Role | null },
): void => {
  if (memberId !== caller.operatorId && caller.role !== 'owner') {
    throw new AppError('role_insufficient');
  }
};
