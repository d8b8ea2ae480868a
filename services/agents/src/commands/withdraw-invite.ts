import { AppError, type InviteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { deleteInvite } from '../queries/delete-invite.ts';
import { deleteInviteTraces } from '../queries/delete-invite-traces.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

/** Takes an invite back. */
export const withdrawInvite = async (
  scope: CompanyTx,
  inviteId: InviteId,
  doing: CallerDoing,
): Promise<void> => {
  const { tx } = await openCompany(scope, doing);
  const invite = await deleteInvite(tx, inviteId);
  if (!invite) {
    throw new AppError('not_found');
  }
  await deleteInviteTraces(tx, [invite]);
  await recordActivity(tx, doing, [
    { action: 'invite.withdrawn', entity: ['invite', inviteId], detail: { email: invite.email } },
  ]);
};
