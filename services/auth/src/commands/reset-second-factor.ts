import { write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { OperatorRow } from '../queries/operators.ts';
import { trustAccountChange } from './as-operator.ts';
import { evictAccess, type EvictedAccess } from './evict-access.ts';
import { recordActivity, shellActor } from './record-activity.ts';

/**
 * Removes every way into the account of an operator who lost a factor but its password, from the server's shell: who
 * signs in afterwards has the password and nothing else. Returns what was removed.
 */
export const resetSecondFactor = (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, email }: Pick<OperatorRow, 'id' | 'email'>,
): Promise<EvictedAccess> =>
  write(db, 'global', async (scope) => {
    const tx = trustAccountChange(scope, 'the caller has access to the shell of the server');
    const evicted = await evictAccess(tx, id);
    await recordActivity(tx, {
      actor: shellActor,
      action: 'second_factor.reset',
      operator: { id, email },
      at: clock(),
      detail: evicted,
    });
    return evicted;
  });
