import { AppError, type InviteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { deleteInviteRow, deleteInviteReferences } from '../queries/invites.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

/** Deletes an invite. */
export const deleteInvite = async (
  scope: CompanyTx,
  inviteId: InviteId,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const invite = await deleteInviteRow(tx, inviteId);
  if (!invite) {
    throw new AppError('not_found');
  }
  await deleteInviteReferences(tx, [invite]);
  await recordActivity(tx, audit, [
    { action: 'invite.withdrawn', entity: ['invite', inviteId], detail: { email: invite.email } },
  ]);
};
