import { createHash, randomBytes } from 'node:crypto';
import {
  AppError,
  inviteId,
  newId,
  simplifyGrants,
  type HeldGrants,
  type OperatorId,
  type Role,
} from '@commonplace/contracts/core';
import { inviteLifetimeHours, openInvitesMax } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import {
  countOpenInvites,
  deleteExpiredInvites,
  deleteInvitesOfEmail,
  deleteInviteReferences,
  insertInvite,
  insertInviteDigest,
  type InviteRow,
  type Inviter,
} from '../queries/invites.ts';
import { findMemberByEmail } from '../queries/members.ts';
import { insertEntityOwner } from '../queries/entity-owners.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

export type CreateInviteInput = {
  readonly email: string;
  readonly role: Role;
  /** The notes that the viewer will reach; absent or null: all. */
  readonly grants?: HeldGrants | undefined;
  readonly invitedBy: OperatorId;
  /** The access epoch of the creator. */
  readonly inviterEpoch: number | null;
  /** Creators whose invites nobody can accept: those do not count. */
  readonly endedInviters: readonly Inviter[];
};

/**
 * Creates an invite, in the place of an open one for the same email: who looks at the list sees one role and one list of
 * grants. Returns its token (256 random bits) once and stores only the SHA-256.
 */
export const createInvite = async (
  scope: CompanyTx,
  input: CreateInviteInput,
  audit: CallerAuditContext,
): Promise<{ readonly invite: InviteRow; readonly token: string }> => {
  const { email, role, grants: wanted = null, invitedBy, inviterEpoch, endedInviters } = input;
  const { tx } = await lockActiveCompany(scope, audit, 'no key update');
  if (await findMemberByEmail(tx, email)) {
    throw new AppError('already_member');
  }
  await deleteInviteReferences(tx, await deleteExpiredInvites(tx, audit.at));
  const replaced = await deleteInvitesOfEmail(tx, email);
  await deleteInviteReferences(tx, replaced);
  if ((await countOpenInvites(tx, audit.at, endedInviters)) >= openInvitesMax) {
    throw new AppError('invite_limit');
  }
  const token = randomBytes(32).toString('base64url');
  const digest = createHash('sha256').update(token).digest();
  const expiresAt = new Date(audit.at.getTime() + inviteLifetimeHours * 3_600_000);
  const grants = simplifyGrants(wanted);
  const id = inviteId.parse(newId());
  const invite = { id, email, role, grants, createdAt: audit.at, expiresAt };
  await insertInvite(tx, { ...invite, invitedBy, inviterEpoch }, digest);
  await insertInviteDigest(tx, invite.id, digest);
  await insertEntityOwner(tx, 'invite', invite.id);
  await recordActivity(tx, audit, [
    ...replaced.map((earlier) => ({
      action: 'invite.withdrawn' as const,
      entity: ['invite', earlier.id] as const,
      detail: { email },
    })),
    {
      action: 'invite.created',
      entity: ['invite', invite.id],
      detail: { email, role, ...(grants ? { grants } : {}) },
    },
  ]);
  return { invite, token };
};
