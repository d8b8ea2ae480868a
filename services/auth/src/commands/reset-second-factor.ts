import type { OperatorId } from '@commonplace/contracts/core';
import { withGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { deleteTotpRow } from '../queries/factors.ts';
import { incrementSessionEpoch } from '../queries/operators.ts';
import { deleteAllPasskeys } from '../queries/passkeys.ts';
import { deleteOtherSessions } from '../queries/session-deletions.ts';
import { trustAccountChange } from './as-operator.ts';

/**
 * Removes the authenticator app, recovery codes and passkeys of an operator who lost them, from the server's
 * shell, and ends all its sessions. The password stays.
 */
export const resetSecondFactor = (
  { db }: Pick<Deps, 'db'>,
  operatorId: OperatorId,
): Promise<void> =>
  withGlobal(db, async (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    await incrementSessionEpoch(tx, operatorId);
    await deleteTotpRow(tx, operatorId);
    await deleteAllPasskeys(tx, operatorId);
    await deleteOtherSessions(tx, { operatorId, keptId: null });
  });
