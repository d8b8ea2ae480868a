import { AppError, type OperatorId, type Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { countOtherOwners } from '../queries/count-other-owners.ts';
import { deleteMembership } from '../queries/delete-membership.ts';
import { findMember } from '../queries/find-member.ts';
import type { MemberRow } from '../queries/member-row.ts';
import { updateMemberRole } from '../queries/update-member-role.ts';
import { openCompany } from './open-company.ts';
import { recordActivity, type Doing } from './record-activity.ts';

/** Gives a member another role. */
export const changeMember = async (
  tx: CompanyTx,
  { operatorId, role }: { readonly operatorId: OperatorId; readonly role: Role },
  doing: Doing,
): Promise<MemberRow> => {
  const member = await lockMember(tx, operatorId);
  if (member.role === role) {
    return member;
  }
  await assertOwnerRemains(tx, member);
  await updateMemberRole(tx, operatorId, role);
  await recordActivity(tx, doing, [
    {
      action: 'member.changed',
      entity: ['member', operatorId],
      detail: { from: member.role, to: role },
    },
  ]);
  return { ...member, role };
};

/** Ends a membership. */
export const removeMember = async (
  tx: CompanyTx,
  operatorId: OperatorId,
  doing: Doing,
): Promise<void> => {
  const member = await lockMember(tx, operatorId);
  await assertOwnerRemains(tx, member);
  await deleteMembership(tx, operatorId);
  await recordActivity(tx, doing, [
    {
      action: 'member.removed',
      entity: ['member', operatorId],
      detail: { email: member.email, role: member.role },
    },
  ]);
};

/** Locks the company, not the member: two owners who leave at once must see each other. */
const lockMember = async (tx: CompanyTx, operatorId: OperatorId): Promise<MemberRow> => {
  await openCompany(tx, 'no key update');
  const member = await findMember(tx, operatorId);
  if (!member) {
    throw new AppError('not_found');
  }
  return member;
};

const assertOwnerRemains = async (tx: CompanyTx, member: MemberRow): Promise<void> => {
  if (member.role === 'owner' && (await countOtherOwners(tx, member.operatorId)) === 0) {
    throw new AppError('last_owner');
  }
};
