import { AppError, type InviteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { type CompanyWithRole, lockCompany } from '../queries/companies.ts';
import { findActiveInvite, markInviteAccepted } from '../queries/invites.ts';
import { findMember, insertMembership, lockMember, updateMemberRow } from '../queries/members.ts';
import type { CompanyOwner } from './create-company.ts';
import { trustChange } from './begin-change.ts';
import { recordActivity } from './audit.ts';

export type AcceptInviteInput = {
  readonly inviteId: InviteId;
  readonly newMember: CompanyOwner;
  readonly at: Date;
};

/**
 * Turns an invite into a membership, under the lock of the company, so that only one of two
 * concurrent requests succeeds. The invite rests on the authority of its creator, who must be an
 * owner until the commit. A repeated request of the operator who accepted the invite returns the
 * existing membership: the first response may have been lost.
 */
export const acceptInvite = async (
  scope: CompanyTx,
  { inviteId, newMember, at }: AcceptInviteInput,
): Promise<CompanyWithRole> => {
  const company = await lockCompany(scope, 'no key update');
  const invite = await findActiveInvite(scope, inviteId, at);
  const { operatorId, email, name } = newMember;
  const acceptedBy = invite?.acceptedBy ?? operatorId;
  const isForOperator = invite?.email === email.toLowerCase() && acceptedBy === operatorId;
  if (company?.status !== 'active' || !invite || !isForOperator) {
    throw new AppError('invalid_one_time_token');
  }
  const member = await findMember(scope, operatorId);
  if (member && invite.acceptedBy !== null) {
    return { ...company, role: member.role, grants: member.grants };
  }
  if (member) {
    throw new AppError('already_member');
  }
  const inviter = await lockMember(scope, invite.invitedBy);
  if (inviter?.role !== 'owner') {
    throw new AppError('invalid_one_time_token');
  }
  const tx = trustChange(scope, 'the creator of the invite is still an owner');
  const { role, grants } = invite;
  await markInviteAccepted(tx, inviteId, operatorId);
  await insertMembership(tx, { operatorId, email: invite.email, name, role, since: at });
  if (grants) {
    await updateMemberRow(tx, { operatorId, role, grants });
  }
  await recordActivity(tx, { actor: { kind: 'operator', id: operatorId, name }, at }, [
    {
      action: 'member.added',
      entity: ['member', operatorId],
      detail: { email: invite.email, role, ...(grants ? { grants } : {}), inviteId },
    },
  ]);
  return { ...company, role, grants };
};
