import { transferLocalMembershipsContract } from '@commonplace/contracts/internal';
import { runGlobal } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findInstance, recordTransfer } from '../queries/instance.ts';
import { findOperator } from '../queries/operators.ts';

/**
 * Hands what the local board operator owned to the first operator. Answers whether there is nothing
 * left to do; throws when the agents service is away. It is safe to repeat, and remembered when done.
 */
export const transferLocalMemberships = async ({
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
  await callAgents(transferLocalMembershipsContract, { operator: { id, email, name } });
  await runGlobal(db, (tx) => recordTransfer(tx, clock()));
  return true;
};
