import { createHash, randomBytes } from 'node:crypto';
import { AppError, inviteId, newId, type OperatorId, type Role } from '@commonplace/contracts/core';
import { inviteLifetimeHours, openInvitesMax } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { countOpenInvites } from '../queries/count-open-invites.ts';
import { deleteExpiredInvites } from '../queries/delete-expired-invites.ts';
import { deleteInviteTraces } from '../queries/delete-invite-traces.ts';
import { findMemberByEmail } from '../queries/find-member-by-email.ts';
import { insertEntityOwner } from '../queries/insert-entity-owner.ts';
import { insertInvite } from '../queries/insert-invite.ts';
import { insertInviteDigest } from '../queries/insert-invite-digest.ts';
import type { InviteRow } from '../queries/invite-row.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

export type InviteOrder = {
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: OperatorId;
};

/** Makes an invite. Its token, 256 random bits, is given back once and stored as SHA-256 only. */
export const addInvite = async (
  scope: CompanyTx,
  { email, role, invitedBy }: InviteOrder,
  doing: CallerDoing,
): Promise<{ readonly invite: InviteRow; readonly token: string }> => {
  const { tx } = await openCompany(scope, doing, 'no key update');
  if (await findMemberByEmail(tx, email)) {
    throw new AppError('already_member');
  }
  await deleteInviteTraces(tx, await deleteExpiredInvites(tx, doing.at));
  if ((await countOpenInvites(tx)) >= openInvitesMax) {
    throw new AppError('invite_limit');
  }
  const token = randomBytes(32).toString('base64url');
  const digest = createHash('sha256').update(token).digest();
  const expiresAt = new Date(doing.at.getTime() + inviteLifetimeHours * 3_600_000);
  const invite = { id: inviteId.parse(newId()), email, role, createdAt: doing.at, expiresAt };
  await insertInvite(tx, { ...invite, invitedBy }, digest);
  await insertInviteDigest(tx, invite.id, digest);
  await insertEntityOwner(tx, 'invite', invite.id);
  await recordActivity(tx, doing, [
    { action: 'invite.created', entity: ['invite', invite.id], detail: { email, role } },
  ]);
  return { invite, token };
};
