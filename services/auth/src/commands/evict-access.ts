import type { Evicted } from '@commonplace/contracts/auth';
import type { OperatorId } from '@commonplace/contracts/core';
import { deleteChallengesOf } from '../queries/challenges.ts';
import { deleteTotpRow } from '../queries/factors.ts';
import { deleteHandover, deleteHandoversBegunBy } from '../queries/handovers.ts';
import { deleteAllIdentities } from '../queries/identities.ts';
import { deleteKnownDevices } from '../queries/known-devices.ts';
import { incrementAccessEpoch } from '../queries/operators.ts';
import { deleteAllPasskeys } from '../queries/passkeys.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import type { AccountTx } from '../queries/tx.ts';

/** What was removed; `hadHandover`: a handover that had begun is over. */
export type EvictedAccess = Omit<Evicted, 'password'> & { readonly hadHandover: boolean };

/**
 * Removes every way into an account but its password: sessions, also those that are being created, sign-ins under
 * way, passkeys, identities, the authenticator app with its recovery codes, known devices and a handover. Who had access
 * before keeps none: with the new access epoch, the agents service ends the runs and invites of the operator, and the
 * handovers that the operator began end here.
 */
export const evictAccess = async (
  tx: AccountTx,
  operatorId: OperatorId,
): Promise<EvictedAccess> => {
  // Locks the operator before the sessions, as everywhere.
  await incrementAccessEpoch(tx, operatorId);
  const sessions = await deleteOtherSessions(tx, { operatorId, keptId: null });
  const passkeys = await deleteAllPasskeys(tx, operatorId);
  const identities = await deleteAllIdentities(tx, operatorId);
  const authenticatorApp = await deleteTotpRow(tx, operatorId);
  await deleteChallengesOf(tx, operatorId);
  await deleteKnownDevices(tx, operatorId);
  await deleteHandoversBegunBy(tx, operatorId);
  const hadHandover = await deleteHandover(tx, operatorId);
  return { sessions, passkeys, identities, authenticatorApp, hadHandover };
};
