import type { OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { memberColumns, type MemberRow } from './member-row.ts';

/** Reads a member, who keeps membership and role until the transaction ends. Lock the company first. */
export const lockMember = async (
  tx: CompanyTx,
  operatorId: OperatorId,
): Promise<MemberRow | null> => {
  const [row] = await tx.query<MemberRow>(statement, [tx.companyId, operatorId]);
  return row ?? null;
};

const statement = `
  select ${memberColumns} from agents.memberships
  where company_id = $1 and operator_id = $2
  for share`;
