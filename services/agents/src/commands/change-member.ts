import { AppError, type OperatorId, type Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertMayRemove } from '../policy/assert-may-remove.ts';
import { countOtherOwners } from '../queries/count-other-owners.ts';
import { deleteInviteTraces } from '../queries/delete-invite-traces.ts';
import { deleteInvitesBy } from '../queries/delete-invites-by.ts';
import { deleteMembership } from '../queries/delete-membership.ts';
import { findMember } from '../queries/find-member.ts';
import type { MemberRow } from '../queries/member-row.ts';
import { updateMemberRole } from '../queries/update-member-role.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerDoing } from './actor-of.ts';

/** Gives a member another role. */
export const changeMember = async (
  scope: CompanyTx,
  { operatorId, role }: { readonly operatorId: OperatorId; readonly role: Role },
  doing: CallerDoing,
): Promise<MemberRow> => {
  // The company is locked, not the member: two owners who leave at once must see each other.
  const { tx } = await openCompany(scope, doing, 'no key update');
  const member = await memberOf(tx, operatorId);
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
  if (member.role === 'owner') {
    await withdrawInvitesOf(tx, operatorId, doing);
  }
  return { ...member, role };
};

/** Ends a membership. */
export const removeMember = async (
  scope: CompanyTx,
  operatorId: OperatorId,
  doing: CallerDoing,
): Promise<void> => {
  const { tx, role } = await openCompany(scope, doing, 'no key update');
  assertMayRemove(operatorId, { id: doing.actor.id, role });
  const member = await memberOf(tx, operatorId);
  await assertOwnerRemains(tx, member);
  await deleteMembership(tx, operatorId);
  await recordActivity(tx, doing, [
    {
      action: 'member.removed',
      entity: ['member', operatorId],
      detail: { email: member.email, role: member.role },
    },
  ]);
  await withdrawInvitesOf(tx, operatorId, doing);
};

const memberOf = async (tx: ChangeTx, operatorId: OperatorId): Promise<MemberRow> => {
  const member = await findMember(tx, operatorId);
  if (!member) {
    throw new AppError('not_found');
  }
  return member;
};

/** An invite needs an owner behind it: those of somebody who is none any more are withdrawn. */
const withdrawInvitesOf = async (
  tx: ChangeTx,
  operatorId: OperatorId,
  doing: CallerDoing,
): Promise<void> => {
  const invites = await deleteInvitesBy(tx, operatorId);
  if (invites.length === 0) {
    return;
  }
  await deleteInviteTraces(tx, invites);
  await recordActivity(
    tx,
    doing,
    invites.map(({ id, email }) => ({
      action: 'invite.withdrawn',
      entity: ['invite', id],
      detail: { email, because: 'its maker is no longer an owner' },
    })),
  );
};

const assertOwnerRemains = async (tx: ChangeTx, member: MemberRow): Promise<void> => {
  if (member.role === 'owner' && (await countOtherOwners(tx, member.operatorId)) === 0) {
    throw new AppError('last_owner');
  }
};
