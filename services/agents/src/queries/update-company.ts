import type { CompanyStatus } from '@commonplace/contracts/core';
import { companyColumns, type CompanyRow } from './company-row.ts';
import type { ChangeTx } from './tx.ts';

/** Changes name and status of the company of the transaction. */
export const updateCompany = async (
  tx: ChangeTx,
  company: { readonly name: string; readonly status: CompanyStatus; readonly at: Date },
): Promise<CompanyRow> => {
  const { name, status, at } = company;
  const [row] = await tx.query<CompanyRow>(statement, [tx.companyId, name, status, at]);
  return row as CompanyRow;
};

const statement = `
  update agents.companies c
  set name = $2, status = $3, updated_at = $4
  where c.company_id = $1
  returning ${companyColumns}`;
