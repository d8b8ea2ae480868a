import type { CompanyTx } from '@commonplace/db';
import { companyColumns, type CompanyRow } from './company-row.ts';

/**
 * `share`: nobody changes the company until we are done. `no key update`: besides, nobody else who
 * locks it goes on; for rules that two requests at once could break together.
 */
export type LockStrength = 'share' | 'no key update';

/** Reads and locks the company of the transaction. Locks are taken in the order company, agent, run, budget. */
export const lockCompany = async (
  tx: CompanyTx,
  strength: LockStrength,
): Promise<CompanyRow | null> => {
  const [row] = await tx.query<CompanyRow>(`${statement} for ${strength}`, [tx.companyId]);
  return row ?? null;
};

const statement = `select ${companyColumns} from agents.companies c where c.company_id = $1`;
