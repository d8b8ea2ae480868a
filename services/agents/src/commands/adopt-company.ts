import { localOperatorId, roleAllows } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { deleteMembership } from '../queries/delete-membership.ts';
import { findMember } from '../queries/find-member.ts';
import { insertMembership } from '../queries/insert-membership.ts';
import { lockCompany } from '../queries/lock-company.ts';
import type { Founder as Heir } from './add-company.ts';
import { recordActivity } from './record-activity.ts';
import { trustChange } from './begin-change.ts';

/** Hands what the local board operator owns here to somebody; false when there is nothing (any more). */
export const adoptCompany = async (scope: CompanyTx, heir: Heir, at: Date): Promise<boolean> => {
  const tx = trustChange(scope, 'the auth service hands over what the local operator owned');
  await lockCompany(tx, 'no key update');
  const local = await findMember(tx, localOperatorId);
  if (!local) {
    return false;
  }
  const { operatorId, email, name } = heir;
  const held = (await findMember(tx, operatorId))?.role;
  const role = held && roleAllows(held, local.role) ? held : local.role;
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
