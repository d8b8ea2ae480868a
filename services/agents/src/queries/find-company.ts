import type { CompanyTx } from '@commonplace/db';
import { companyColumns, type CompanyRow } from './company-row.ts';

/** Reads the company of the transaction. */
export const findCompany = async (tx: CompanyTx): Promise<CompanyRow | null> => {
  const [row] = await tx.query<CompanyRow>(statement, [tx.companyId], 'agents.find-company');
  return row ?? null;
};

const statement = `select ${companyColumns} from agents.companies c where c.company_id = $1`;
