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
 * Creates the company of the transaction. Its founder becomes owner; the local board operator too,
 * with a real membership, so that the first operator can take it over.
 */
export const createCompany = async (
  scope: CompanyTx,
  { name, founder }: { readonly name: string; readonly founder: CompanyOwner },
  audit: AuditContext,
): Promise<CompanyRow> => {
  const tx = trustChange(scope, 'the company is new: an administrator founds it');
  const company = await insertCompany(tx, { name, at: audit.at });
  const { operatorId, email, name: founderName } = founder;
  await insertMembership(tx, {
    operatorId,
    email,
    name: founderName,
    role: 'owner',
    since: audit.at,
  });
  await recordActivity(tx, audit, [
    { action: 'company.created', entity: ['company', company.id], detail: { name } },
    { action: 'member.added', entity: ['member', operatorId], detail: { email, role: 'owner' } },
  ]);
  return company;
};
