import { AppError, type InviteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import type { GrantedCompanyRow } from '../queries/company-row.ts';
import { findLivingInvite } from '../queries/find-living-invite.ts';
import { findMember } from '../queries/find-member.ts';
import { insertMembership } from '../queries/insert-membership.ts';
import { lockCompany } from '../queries/lock-company.ts';
import { lockMember } from '../queries/lock-member.ts';
import { markInviteAccepted } from '../queries/mark-invite-accepted.ts';
import type { Founder as Newcomer } from './add-company.ts';
import { trustChange } from './begin-change.ts';
import { recordActivity } from './record-activity.ts';

export type Acceptance = {
  readonly inviteId: InviteId;
  readonly newcomer: Newcomer;
  readonly at: Date;
};

/**
 * Turns an invite into a membership, behind the lock of the company: of two at once only one gets in.
 * What allows it is the authority of who made the invite: still an owner, and one until the commit.
 * Asked again by the operator that accepted it, it answers the membership there is: the first answer
 * may have been lost on its way.
 */
export const acceptInvite = async (
  scope: CompanyTx,
  { inviteId, newcomer, at }: Acceptance,
): Promise<GrantedCompanyRow> => {
  const company = await lockCompany(scope, 'no key update');
  const invite = await findLivingInvite(scope, inviteId, at);
  const { operatorId, email, name } = newcomer;
  const acceptedBy = invite?.acceptedBy ?? operatorId;
  const isTheirs = invite?.email === email.toLowerCase() && acceptedBy === operatorId;
  if (company?.status !== 'active' || !invite || !isTheirs) {
    throw new AppError('invalid_one_time_token');
  }
  const member = await findMember(scope, operatorId);
  if (member && invite.acceptedBy !== null) {
    return { ...company, role: member.role };
  }
  if (member) {
    throw new AppError('already_member');
  }
  const inviter = await lockMember(scope, invite.invitedBy);
  if (inviter?.role !== 'owner') {
    throw new AppError('invalid_one_time_token');
  }
  const tx = trustChange(scope, 'an owner made the invite, and is one still');
  const { role } = invite;
  await markInviteAccepted(tx, inviteId, operatorId);
  await insertMembership(tx, { operatorId, email: invite.email, name, role, since: at });
  await recordActivity(tx, { actor: { kind: 'operator', id: operatorId, name }, at }, [
    {
      action: 'member.added',
      entity: ['member', operatorId],
      detail: { email: invite.email, role, inviteId },
    },
  ]);
  return { ...company, role };
};
