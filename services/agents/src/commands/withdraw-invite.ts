import { AppError, type InviteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { deleteInvite } from '../queries/delete-invite.ts';
import { deleteInviteTraces } from '../queries/delete-invite-traces.ts';
import { openCompany } from './open-company.ts';
import { recordActivity, type Doing } from './record-activity.ts';

/** Takes an invite back. */
export const withdrawInvite = async (
  tx: CompanyTx,
  inviteId: InviteId,
  doing: Doing,
): Promise<void> => {
  await openCompany(tx);
  const invite = await deleteInvite(tx, inviteId);
  if (!invite) {
    throw new AppError('not_found');
  }
  await deleteInviteTraces(tx, [invite]);
  await recordActivity(tx, doing, [
    { action: 'invite.withdrawn', entity: ['invite', inviteId], detail: { email: invite.email } },
  ]);
};
