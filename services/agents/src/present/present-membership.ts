import type { Role } from '@commonplace/contracts/core';
import type { Membership } from '@commonplace/contracts/internal';
import type { CompanyRow } from '../queries/company-row.ts';

/** A company as gateway and auth want it: with the role somebody has in it. */
export const presentMembership = (row: CompanyRow, role: Role): Membership => ({
  companyId: row.id,
  companyName: row.name,
  role,
  companyStatus: row.status,
});
