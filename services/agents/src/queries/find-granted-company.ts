import type { OperatorId, Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { companyColumns, type CompanyRow } from './company-row.ts';

/** Reads the company of the transaction with the role an operator has in it, null for none. */
export const findGrantedCompany = async (
  tx: CompanyTx,
  operatorId: OperatorId,
): Promise<(CompanyRow & { readonly role: Role | null }) | null> => {
  const [row] = await tx.query<CompanyRow & { role: Role | null }>(statement, [
    tx.companyId,
    operatorId,
  ]);
  return row ?? null;
};

const statement = `
  select ${companyColumns}, m.role
  from agents.companies c
  left join agents.memberships m on m.company_id = $1 and m.operator_id = $2
  where c.company_id = $1`;
