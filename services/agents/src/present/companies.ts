import type { Company, CompanyDetail, Member, Invite } from '@commonplace/contracts/agents';
import type { CompanyDetailRow, CompanyRow } from '../queries/companies.ts';
import { listGrants, type HeldGrants, type Role } from '@commonplace/contracts/core';
import type { GrantedMembership, Membership } from '@commonplace/contracts/internal';
import type { MemberRow } from '../queries/members.ts';
import type { InviteRow } from '../queries/invites.ts';
import { presentBudget } from './budgets.ts';

/** A company as the API returns it. */
export const presentCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  status: row.status,
  currency: row.currency,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A company with its budget and settings, as responses about one company have it. */
export const presentCompanyDetail = (row: CompanyDetailRow): CompanyDetail => ({
  ...presentCompany(row),
  budget: presentBudget(row),
  proposalsDecidedBy: row.proposalsDecidedBy,
});

/** A company with the role of an operator in it, for the gateway and the auth service. */
export const presentMembership = (row: CompanyRow, role: Role): Membership => ({
  companyId: row.id,
  companyName: row.name,
  role,
  companyStatus: row.status,
});

/** Memberships as other services read them: those with grants apart, which code that knows no grants does not read. */
export const presentMemberships = (
  rows: readonly (CompanyRow & { readonly role: Role; readonly grants: HeldGrants })[],
): { memberships: Membership[]; grantedMemberships?: GrantedMembership[] } => {
  const granted = rows.flatMap((row) =>
    row.grants ? { ...presentMembership(row, row.role), grants: [...row.grants] } : [],
  );
  return {
    memberships: rows.flatMap((row) => (row.grants ? [] : presentMembership(row, row.role))),
    ...(granted.length > 0 ? { grantedMemberships: granted } : {}),
  };
};

/** A member as the API returns it. */
export const presentMember = (row: MemberRow, emailVerified: boolean | undefined): Member => ({
  ...row,
  grants: listGrants(row.grants),
  emailVerified: emailVerified ?? null,
  since: row.since.toISOString(),
});

/** An invite as the API returns it; only its creation returns the token. */
export const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  email: row.email,
  role: row.role,
  grants: listGrants(row.grants),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
});
