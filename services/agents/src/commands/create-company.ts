import type { OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { type CompanyRow, insertCompany } from '../queries/companies.ts';
import { insertMembership } from '../queries/members.ts';
import { recordActivity, type AuditContext } from './audit.ts';
import { trustChange } from './begin-change.ts';

export type CompanyOwner = {
  readonly operatorId: OperatorId;
  readonly email: string;
  readonly name: string;
};

/**
 * Creates the company of the transaction with its first owner. The local board operator gets a
 * membership as well, so that it can be transferred to the first operator.
 */
export const createCompany = async (
  scope: CompanyTx,
  { name, owner }: { readonly name: string; readonly owner: CompanyOwner },
  audit: AuditContext,
): Promise<CompanyRow> => {
  const tx = trustChange(scope, 'an administrator creates the company');
  const company = await insertCompany(tx, { name, at: audit.at });
  const { operatorId, email, name: ownerName } = owner;
  await insertMembership(tx, {
    operatorId,
    email,
    name: ownerName,
    role: 'owner',
    since: audit.at,
  });
  await recordActivity(tx, audit, [
    { action: 'company.created', entity: ['company', company.id], detail: { name } },
    { action: 'member.added', entity: ['member', operatorId], detail: { email, role: 'owner' } },
  ]);
  return company;
};
