import { adoptLocalMembershipsContract as adopt } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findInstance } from '../queries/find-instance.ts';
import { findOperator } from '../queries/find-operator.ts';
import { updateAdoption } from '../queries/update-adoption.ts';

/**
 * Hands what the local board operator owned to the first operator. Answers whether there is nothing
 * left to do; throws when the agents service is away. It is safe to repeat, and remembered when done.
 */
export const adoptLocalMemberships = async ({
  db,
  clock,
  callAgents,
}: Pick<Deps, 'db' | 'clock' | 'callAgents'>): Promise<boolean> => {
  const instance = await runGlobal(db, findInstance);
  if (instance.local_memberships_adopted_at !== null) {
    return true;
  }
  const { first_operator_id: firstId } = instance;
  const first = firstId && (await runGlobal(db, (tx) => findOperator(tx, firstId)));
  if (!first) {
    return false;
  }
  const { id, email, name } = first;
  await callAgents(adopt, { operator: { id, email, name } });
  await runGlobal(db, (tx) => updateAdoption(tx, clock()));
  return true;
};
