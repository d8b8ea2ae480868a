import type { OperatorId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Ends a membership. */
export const deleteMembership = async (tx: ChangeTx, operatorId: OperatorId): Promise<void> => {
  await tx.query(statement, [tx.companyId, operatorId]);
};

const statement = 'delete from agents.memberships where company_id = $1 and operator_id = $2';
