import { runGlobal, withCompany } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findCompany } from '../queries/companies.ts';
import { findInviteLocation, findActiveInvite } from '../queries/invites.ts';

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
  const place = await runGlobal(db, (tx) => findInviteLocation(tx, digest));
  if (!place) {
    return null;
  }
  const [company, invite] = await withCompany(db, place.companyId, (tx) =>
    Promise.all([findCompany(tx), findActiveInvite(tx, place.inviteId, clock())]),
  );
  if (!invite || company?.status !== 'active') {
    return null;
  }
  const isValid =
    invite.acceptedBy !== null || (await checkOperator({ operatorId: invite.invitedBy })).isActive;
  return isValid ? { company, invite } : null;
};
