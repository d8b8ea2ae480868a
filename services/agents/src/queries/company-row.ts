import type { CompanyId, CompanyStatus, Role } from '@commonplace/contracts/core';

export type CompanyRow = {
  readonly id: CompanyId;
  readonly name: string;
  readonly status: CompanyStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A company with the role somebody has in it. */
export type GrantedCompanyRow = CompanyRow & { readonly role: Role };

/** The columns of a company as `CompanyRow` names them; `c` is the table. */
export const companyColumns =
  'c.company_id as id, c.name, c.status, c.created_at as "createdAt", c.updated_at as "updatedAt"';
