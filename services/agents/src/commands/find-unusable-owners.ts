import type { CompanyId, OperatorId } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { listOwnerIds } from '../queries/members.ts';

/** The owners of a company whose state is looked up. */
const ownersMax = 1_000;

/**
 * Returns the owners of a company who cannot sign in: who are disabled, or whose account is in a handover. Only the auth
 * service knows, so it is called before the change, outside any lock: an owner who loses access in between still counts.
 */
export const findUnusableOwners = async (
  { db, operatorStates }: Pick<Deps, 'db' | 'operatorStates'>,
  companyId: CompanyId,
): Promise<OperatorId[]> => {
  const owners = await read(db, companyId, (tx) => listOwnerIds(tx, ownersMax));
  if (owners.length < 2) {
    return [];
  }
  const states = await operatorStates.read(owners);
  return owners.filter((id) => states.get(id)?.canSignIn === false);
};
