import type { OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { CompanyRow } from '../queries/company-row.ts';
import { insertCompany } from '../queries/insert-company.ts';
import { insertMembership } from '../queries/insert-membership.ts';
import { recordActivity, type Doing } from './record-activity.ts';
import { trustChange } from './begin-change.ts';

export type Founder = {
  readonly operatorId: OperatorId;
  readonly email: string;
  readonly name: string;
};

/**
 * Creates the company of the transaction. Its founder becomes owner; the local board operator too,
 * with a real membership, so that the first operator can take it over.
 */
export const addCompany = async (
  scope: CompanyTx,
  { name, founder }: { readonly name: string; readonly founder: Founder },
  doing: Doing,
): Promise<CompanyRow> => {
  const tx = trustChange(scope, 'the company is new: an administrator founds it');
  const company = await insertCompany(tx, { name, at: doing.at });
  const { operatorId, email, name: founderName } = founder;
  await insertMembership(tx, {
    operatorId,
    email,
    name: founderName,
    role: 'owner',
    since: doing.at,
  });
  await recordActivity(tx, doing, [
    { action: 'company.created', entity: ['company', company.id], detail: { name } },
    { action: 'member.added', entity: ['member', operatorId], detail: { email, role: 'owner' } },
  ]);
  return company;
};
