import { companyColumns, type CompanyRow } from './company-row.ts';
import type { ChangeTx } from './tx.ts';

/** Inserts the company of the transaction. */
export const insertCompany = async (
  tx: ChangeTx,
  company: { readonly name: string; readonly at: Date },
): Promise<CompanyRow> => {
  const [row] = await tx.query<CompanyRow>(statement, [tx.companyId, company.name, company.at]);
  return row as CompanyRow;
};

const statement = `
  insert into agents.companies as c (company_id, name, status, created_at, updated_at)
  values ($1, $2, 'active', $3, $3)
  returning ${companyColumns}`;
