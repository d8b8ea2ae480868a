import { localOperatorId, roleAllows } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { deleteMembership, findMember, insertMembership } from '../queries/members.ts';
import { lockCompany } from '../queries/companies.ts';
import type { CompanyOwner } from './create-company.ts';
import { recordActivity } from './audit.ts';
import { trustChange } from './begin-change.ts';

/**
 * Transfers the membership of the local board operator to another operator; returns false if there
 * is none (any more).
 */
export const transferCompany = async (
  scope: CompanyTx,
  newOwner: CompanyOwner,
  at: Date,
): Promise<boolean> => {
  const tx = trustChange(scope, 'the auth service transfers the memberships of the local operator');
  await lockCompany(tx, 'no key update');
  const local = await findMember(tx, localOperatorId);
  if (!local) {
    return false;
  }
  const { operatorId, email, name } = newOwner;
  const currentRole = (await findMember(tx, operatorId))?.role;
  const role = currentRole && roleAllows(currentRole, local.role) ? currentRole : local.role;
  await deleteMembership(tx, localOperatorId);
  await insertMembership(tx, { operatorId, email, name, role, since: at });
  await recordActivity(tx, { actor: { kind: 'operator', id: operatorId, name }, at }, [
    {
      action: 'member.removed',
      entity: ['member', localOperatorId],
      detail: { adoptedBy: operatorId },
    },
    {
      action: 'member.added',
      entity: ['member', operatorId],
      detail: { email, role, adoptedFrom: localOperatorId },
    },
  ]);
  return true;
};
