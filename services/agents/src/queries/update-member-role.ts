import type { OperatorId, Role } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Gives a member another role. */
export const updateMemberRole = async (
  tx: ChangeTx,
  operatorId: OperatorId,
  role: Role,
): Promise<void> => {
  await tx.query(statement, [tx.companyId, operatorId, role]);
};

const statement = `
  update agents.memberships set role = $3 where company_id = $1 and operator_id = $2`;
