import { isDeepStrictEqual } from 'node:util';
import type { UpdateMemberBody } from '@commonplace/contracts/agents';
import {
  AppError,
  roleAllows,
  simplifyGrants,
  type OperatorId,
  type Role,
} from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import {
  countOtherOwners,
  deleteMembership,
  findMember,
  type MemberRow,
  updateMemberRow,
} from '../queries/members.ts';
import { deleteInviteReferences, deleteInvitesByInviter } from '../queries/invites.ts';
import { queueSourceCancellation } from './queue-source-cancellation.ts';
import { endConnections } from './revoke-connections.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';
import type { ChangeTx } from '../queries/tx.ts';

/** A member who may lose a role, and the owners of the company who cannot sign in. */
type Removal = { readonly operatorId: OperatorId; readonly unusable: readonly OperatorId[] };

/** Changes the role of a member, or the notes that a viewer reaches. */
export const updateMember = async (
  scope: CompanyTx,
  { operatorId, changes, unusable }: Removal & { readonly changes: UpdateMemberBody },
  audit: CallerAuditContext,
): Promise<MemberRow> => {
  // Locks the company rather than the member: two owners who leave concurrently must see each other.
  const { tx } = await lockActiveCompany(scope, audit, 'no key update');
  const member = await memberOf(tx, operatorId);
  const after = applyTo(member, changes);
  const { role, grants } = after;
  const hasNewGrants = !isDeepStrictEqual(grants, member.grants);
  if (member.role === role && !hasNewGrants) {
    return member;
  }
  await assertOwnerRemains(tx, member, unusable);
  await updateMemberRow(tx, after);
  await recordActivity(tx, audit, [
    {
      action: 'member.changed',
      entity: ['member', operatorId],
      detail: {
        from: member.role,
        to: role,
        ...(hasNewGrants ? { grants: { from: member.grants, to: grants } } : {}),
      },
    },
  ]);
  if (member.role === 'owner') {
    await deleteInvitesOf(tx, operatorId, audit);
  }
  if (!roleAllows(role, 'operator')) {
    await endRunsOf(tx, operatorId, { reason: 'role of its operator lowered', audit });
  }
  return after;
};

/** Throws 400 for grants of a member of another role. */
const applyTo = (
  member: MemberRow,
  { role = member.role, grants }: UpdateMemberBody,
): MemberRow => {
  if (role === 'viewer') {
    const held = member.role === 'viewer' ? member.grants : null;
    return { ...member, role, grants: grants === undefined ? held : simplifyGrants(grants) };
  }
  if (grants) {
    throw new AppError('validation_failed', 'Only viewers have grants.');
  }
  return { ...member, role, grants: null };
};

/** Removes a member. */
export const removeMember = async (
  scope: CompanyTx,
  { operatorId, unusable }: Removal,
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx, role } = await lockActiveCompany(scope, audit, 'no key update');
  assertMayRemove(operatorId, { id: audit.actor.id, role });
  const member = await memberOf(tx, operatorId);
  await assertOwnerRemains(tx, member, unusable);
  await deleteMembership(tx, operatorId);
  await recordActivity(tx, audit, [
    {
      action: 'member.removed',
      entity: ['member', operatorId],
      detail: { email: member.email, role: member.role },
    },
  ]);
  await deleteInvitesOf(tx, operatorId, audit);
  await endRunsOf(tx, operatorId, { reason: 'operator removed', audit });
  await endConnections(tx, { operatorId, because: 'operator removed' }, audit);
};

/** Queues the runs that an operator is responsible for; their tokens are invalid as soon as this commits. */
const endRunsOf = (
  tx: ChangeTx,
  operatorId: OperatorId,
  { reason, audit }: { readonly reason: string; readonly audit: CallerAuditContext },
): Promise<void> =>
  queueSourceCancellation(tx, {
    keyId: null,
    operatorId,
    beforeEpoch: null,
    reason,
    ...audit,
  });

const memberOf = async (tx: ChangeTx, operatorId: OperatorId): Promise<MemberRow> => {
  const member = await findMember(tx, operatorId);
  if (!member) {
    throw new AppError('not_found');
  }
  return member;
};

/** An invite needs an owner behind it, so the invites of a former owner are deleted. */
const deleteInvitesOf = async (
  tx: ChangeTx,
  operatorId: OperatorId,
  audit: CallerAuditContext,
): Promise<void> => {
  const invites = await deleteInvitesByInviter(tx, operatorId);
  if (invites.length === 0) {
    return;
  }
  await deleteInviteReferences(tx, invites);
  await recordActivity(
    tx,
    audit,
    invites.map(({ id, email }) => ({
      action: 'invite.withdrawn',
      entity: ['invite', id],
      detail: { email, because: 'its creator is no longer an owner' },
    })),
  );
};

/** Owners who cannot sign in do not count: a company without another is nobody's. */
const assertOwnerRemains = async (
  tx: ChangeTx,
  member: MemberRow,
  unusable: readonly OperatorId[],
): Promise<void> => {
  const others = { operatorId: member.operatorId, except: unusable };
  if (member.role === 'owner' && (await countOtherOwners(tx, others)) === 0) {
    throw new AppError('last_owner');
  }
};

/** Every member may leave a company; only owners may remove others (403). */
const assertMayRemove = (
  memberId: OperatorId,
  caller: { readonly id: string | null; readonly role: Role | null },
): void => {
  if (memberId !== caller.id && caller.role !== 'owner') {
    throw new AppError('role_insufficient');
  }
};
