import { AppError, type InviteId } from '@commonplace/contracts';
import type { CompanyTx } from '@commonplace/db';
import type { GrantedCompanyRow } from '../queries/company-row.ts';
import { deleteInvite } from '../queries/delete-invite.ts';
import { deleteInviteTraces } from '../queries/delete-invite-traces.ts';
import { findMember } from '../queries/find-member.ts';
import { insertMembership } from '../queries/insert-membership.ts';
import { lockCompany } from '../queries/lock-company.ts';
import type { Founder as Newcomer } from './add-company.ts';
import { recordActivity } from './record-activity.ts';

export type Acceptance = {
  readonly inviteId: InviteId;
  readonly newcomer: Newcomer;
  readonly at: Date;
};

/**
 * Turns an invite into a membership. It is used up by being deleted, so of two at once only one gets
 * in; when anything refuses, the transaction gives it back.
 */
export const acceptInvite = async (
  tx: CompanyTx,
  { inviteId, newcomer, at }: Acceptance,
): Promise<GrantedCompanyRow> => {
  const company = await lockCompany(tx, 'no key update');
  const invite = await deleteInvite(tx, inviteId);
  const { operatorId, email, name } = newcomer;
  const isLiving = company?.status === 'active' && invite !== null && invite.expiresAt > at;
  if (!isLiving || invite.email !== email.toLowerCase()) {
    throw new AppError('invalid_one_time_token');
  }
  if (await findMember(tx, operatorId)) {
    throw new AppError('already_member');
  }
  const { role } = invite;
  await deleteInviteTraces(tx, [invite]);
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
