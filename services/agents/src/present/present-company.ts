import type { Company } from '@commonplace/contracts/agents';
import type { CompanyRow } from '../queries/company-row.ts';

/** A company as the API shows it. */
export const presentCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
