import type { OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** How many owners the company has besides this operator. Lock the company first. */
export const countOtherOwners = async (tx: CompanyTx, operatorId: OperatorId): Promise<number> => {
  const [row] = await tx.query<{ owners: number }>(statement, [tx.companyId, operatorId]);
  return row?.owners ?? 0;
};

const statement = `
  select count(*)::integer as owners
  from agents.memberships
  where company_id = $1 and operator_id <> $2 and role = 'owner'`;
