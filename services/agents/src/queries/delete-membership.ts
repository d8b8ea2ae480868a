import type { OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** Ends a membership. */
export const deleteMembership = async (tx: CompanyTx, operatorId: OperatorId): Promise<void> => {
  await tx.query(statement, [tx.companyId, operatorId]);
};

const statement = 'delete from agents.memberships where company_id = $1 and operator_id = $2';
