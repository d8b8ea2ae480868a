import type {
  CompanyId,
  HeldGrants,
  InviteId,
  OperatorId,
  Role,
} from '@commonplace/contracts/core';
import { jsonOfGrants } from './grants.ts';
import { grantsOf, roleOf, storedRole } from './member-role.ts';
import type { ChangeTx } from './tx.ts';
import type { CompanyTx, GlobalTx } from '@commonplace/db';

export type InviteRow = {
  readonly id: InviteId;
  readonly email: string;
  readonly role: Role;
  /** The notes that the viewer will reach; null: all, as for other roles. */
  readonly grants: HeldGrants;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Who created an invite. */
export type Inviter = {
  readonly invitedBy: OperatorId;
  /** The access epoch of the creator; null, of earlier releases: the first one. */
  readonly inviterEpoch: number | null;
};

/** An invite with the operator who created it. */
export type InviteWithInviter = InviteRow & Inviter;

/** The columns of `InviteRow`. */
const inviteColumns = `id, email, ${roleOf('invites')} as role, ${grantsOf('invites')} as grants,
  created_at as "createdAt", expires_at as "expiresAt"`;

/** True for invites whose creator is still an owner; `$1` is the company. */
const inviterIsOwner = `
  exists (
    select from agents.memberships inviter
    where inviter.company_id = $1 and inviter.operator_id = invites.invited_by
      and inviter.role = 'owner'
  )`;

/** True for invites that nobody accepted and that have not expired, of owners; `$2` is the time. */
const isOpen = `
  company_id = $1 and expires_at > $2 and accepted_by is null and ${inviterIsOwner}`;

export type InviteLocation = { readonly companyId: CompanyId; readonly inviteId: InviteId };

/** Returns the company and id of the invite with this token (global table). */
export const findInviteLocation = async (
  tx: GlobalTx,
  tokenDigest: Buffer,
): Promise<InviteLocation | null> => {
  const [row] = await tx.query<InviteLocation>(findInviteLocationSql, [tokenDigest]);
  return row ?? null;
};

const findInviteLocationSql = `
  select company_id as "companyId", invite_id as "inviteId"
  from agents.invite_digests
  where token_digest = $1`;

/** `acceptedBy` is null until somebody accepts the invite. */
export type ActiveInvite = InviteWithInviter & { readonly acceptedBy: OperatorId | null };

/**
 * Reads an unexpired invite whose creator is still an owner. An accepted invite stays active while
 * the operator who accepted it is a member.
 */
export const findActiveInvite = async (
  tx: CompanyTx,
  inviteId: InviteId,
  now: Date,
): Promise<ActiveInvite | null> => {
  const [row] = await tx.query<ActiveInvite>(findActiveInviteSql, [tx.companyId, inviteId, now]);
  return row ?? null;
};

const findActiveInviteSql = `
  select ${inviteColumns}, invited_by as "invitedBy", inviter_epoch as "inviterEpoch",
    accepted_by as "acceptedBy"
  from agents.invites
  where company_id = $1 and id = $2 and expires_at > $3
    and case when accepted_by is null then ${inviterIsOwner} else exists (
      select from agents.memberships m where m.company_id = $1 and m.operator_id = accepted_by
    ) end`;

/**
 * Lists the invites that nobody accepted, newest first; returns up to `limit + 1` rows. Excludes invites of former
 * owners; those of owners whose access was taken away are in it.
 */
export const listInvites = (
  tx: CompanyTx,
  now: Date,
  page: { readonly after: readonly [createdAt: string, id: string] | null; readonly limit: number },
): Promise<InviteWithInviter[]> =>
  tx.query<InviteWithInviter>(listInvitesSql, [
    tx.companyId,
    now,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listInvitesSql = `
  select ${inviteColumns}, invited_by as "invitedBy", inviter_epoch as "inviterEpoch"
  from agents.invites
  where ${isOpen}
    and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
  order by created_at desc, id desc
  limit $5`;

/** Lists the creators of open invites, each with the access epochs of these. */
export const listInviters = (tx: CompanyTx, now: Date): Promise<Inviter[]> =>
  tx.query<Inviter>(listInvitersSql, [tx.companyId, now]);

const listInvitersSql = `
  select distinct invited_by as "invitedBy", inviter_epoch as "inviterEpoch"
  from agents.invites
  where ${isOpen}`;

/** Counts the open invites of the company, except those of some creators. */
export const countOpenInvites = async (
  tx: CompanyTx,
  now: Date,
  except: readonly Inviter[],
): Promise<number> => {
  const [row] = await tx.query<{ count: number }>(countOpenInvitesSql, [
    tx.companyId,
    now,
    except.map(({ invitedBy }) => invitedBy),
    except.map(({ inviterEpoch }) => inviterEpoch),
  ]);
  return row?.count ?? 0;
};

const countOpenInvitesSql = `
  select count(*)::int as count
  from agents.invites
  where ${isOpen}
    and not exists (
      select from unnest($3::uuid[], $4::integer[]) as excepted (operator_id, epoch)
      where excepted.operator_id = invited_by and excepted.epoch is not distinct from inviter_epoch
    )`;

/** Inserts an invite with the SHA-256 of its token. */
export const insertInvite = async (
  tx: ChangeTx,
  invite: InviteWithInviter,
  tokenDigest: Buffer,
): Promise<void> => {
  const { id, email, createdAt, expiresAt, invitedBy, inviterEpoch } = invite;
  const role = storedRole(invite.role, invite.grants);
  const values = [id, email, role, tokenDigest, createdAt, expiresAt, invitedBy, inviterEpoch];
  await tx.query(insertInviteSql, [tx.companyId, ...values, jsonOfGrants(invite.grants)]);
};

const insertInviteSql = `
  insert into agents.invites
    (company_id, id, email, role, token_digest, created_at, expires_at, invited_by, inviter_epoch,
     grants)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Indexes an invite by the digest of its token (global table). */
export const insertInviteDigest = async (
  tx: ChangeTx,
  inviteId: InviteId,
  tokenDigest: Buffer,
): Promise<void> => {
  await tx.query(insertInviteDigestSql, [tokenDigest, tx.companyId, inviteId]);
};

const insertInviteDigestSql = `
  insert into agents.invite_digests (token_digest, company_id, invite_id) values ($1, $2, $3)`;

/**
 * Records who accepted an invite. Its token still finds it, so that this operator can repeat the
 * request. It is no longer an entity that can be deleted.
 */
export const markInviteAccepted = async (
  tx: ChangeTx,
  inviteId: InviteId,
  operatorId: OperatorId,
): Promise<void> => {
  await Promise.all([
    tx.query(markInviteAcceptedSql, [tx.companyId, inviteId, operatorId]),
    tx.query(deleteOwnerSql, [inviteId]),
  ]);
};

const markInviteAcceptedSql = `
  update agents.invites set accepted_by = $3 where company_id = $1 and id = $2`;

const deleteOwnerSql = `
  delete from agents.entity_owners where id = $1 and kind = 'invite'`;

export type DeletedInvite = InviteRow & { readonly tokenDigest: Buffer };

/**
 * Deletes an invite that is not accepted and returns it. Of two concurrent requests only one gets
 * it.
 */
export const deleteInviteRow = async (
  tx: ChangeTx,
  inviteId: InviteId,
): Promise<DeletedInvite | null> => {
  const [row] = await tx.query<DeletedInvite>(deleteInviteRowSql, [tx.companyId, inviteId]);
  return row ?? null;
};

const deleteInviteRowSql = `
  delete from agents.invites
  where company_id = $1 and id = $2 and accepted_by is null
  returning ${inviteColumns}, token_digest as "tokenDigest"`;

/** Deletes the invites that an operator created and nobody accepted; returns them. */
export const deleteInvitesByInviter = (
  tx: ChangeTx,
  invitedBy: OperatorId,
): Promise<DeletedInvite[]> =>
  tx.query<DeletedInvite>(deleteInvitesByInviterSql, [tx.companyId, invitedBy]);

const deleteInvitesByInviterSql = `
  delete from agents.invites
  where company_id = $1 and invited_by = $2 and accepted_by is null
  returning ${inviteColumns}, token_digest as "tokenDigest"`;

/** Deletes the invites of an email that nobody accepted; returns them. */
export const deleteInvitesOfEmail = (tx: ChangeTx, email: string): Promise<DeletedInvite[]> =>
  tx.query<DeletedInvite>(deleteInvitesOfEmailSql, [tx.companyId, email]);

const deleteInvitesOfEmailSql = `
  delete from agents.invites
  where company_id = $1 and email = $2 and accepted_by is null
  returning ${inviteColumns}, token_digest as "tokenDigest"`;

/** Deletes up to 100 expired invites, accepted or not; returns them. */
export const deleteExpiredInvites = (tx: ChangeTx, now: Date): Promise<DeletedInvite[]> =>
  tx.query<DeletedInvite>(deleteExpiredInvitesSql, [tx.companyId, now]);

const deleteExpiredInvitesSql = `
  delete from agents.invites
  where company_id = $1 and id in (
    select id from agents.invites
    where company_id = $1 and expires_at <= $2
    order by created_at
    limit 100
    for update skip locked
  )
  returning ${inviteColumns}, token_digest as "tokenDigest"`;

/** Deletes the rows of the global tables that refer to deleted invites. */
export const deleteInviteReferences = async (
  tx: ChangeTx,
  invites: readonly DeletedInvite[],
): Promise<void> => {
  await Promise.all([
    tx.query(deleteInviteDigestsSql, [invites.map((invite) => invite.tokenDigest)]),
    tx.query(deleteOwnersSql, [invites.map((invite) => invite.id)]),
  ]);
};

const deleteInviteDigestsSql = `
  delete from agents.invite_digests where token_digest = any ($1::bytea[])`;

const deleteOwnersSql = `
  delete from agents.entity_owners where id = any ($1::uuid[]) and kind = 'invite'`;
