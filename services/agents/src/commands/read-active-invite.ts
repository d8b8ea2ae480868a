import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findCompany } from '../queries/companies.ts';
import { isFormerEpoch } from '../policy/run-source.ts';
import { findInviteLocation, findActiveInvite, type ActiveInvite } from '../queries/invites.ts';

/**
 * Reads the invite of a token and its company; null if nobody can accept it (any more). Only the
 * auth service knows whether the creator is disabled, so it is called here, outside any lock. The
 * creator's role is read again when the invite is accepted.
 */
export const readActiveInvite = async (
  { db, clock, checkOperator }: Pick<Deps, 'db' | 'clock' | 'checkOperator'>,
  tokenDigest: string,
) => {
  const digest = Buffer.from(tokenDigest, 'hex');
  const place = await read(db, 'global', (tx) => findInviteLocation(tx, digest));
  if (!place) {
    return null;
  }
  const [company, invite] = await read(db, place.companyId, (tx) =>
    Promise.all([findCompany(tx), findActiveInvite(tx, place.inviteId, clock())]),
  );
  if (!invite || company?.status !== 'active') {
    return null;
  }
  const isValid = invite.acceptedBy !== null || (await mayInvite({ checkOperator }, invite));
  return isValid ? { company, invite } : null;
};

/** Whether the creator can still sign in, and nobody had to take the account away since. */
export const mayInvite = async (
  { checkOperator }: Pick<Deps, 'checkOperator'>,
  { invitedBy, inviterEpoch }: Pick<ActiveInvite, 'invitedBy' | 'inviterEpoch'>,
): Promise<boolean> => {
  const { isActive, accessEpoch } = await checkOperator({ operatorId: invitedBy });
  return isActive && !isFormerEpoch(inviterEpoch, accessEpoch);
};
