import { transferLocalMembershipsContract } from '@commonplace/contracts/internal';
import { read, write } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { findInstance, recordTransfer } from '../queries/instance.ts';
import { findOperator } from '../queries/operators.ts';

/**
 * Transfers the memberships of the local board operator to the first operator. Returns whether
 * nothing is left to do; throws when the agents service is unavailable. Idempotent; records its
 * completion.
 */
export const transferLocalMemberships = async ({
  db,
  clock,
  callAgents,
}: Pick<Deps, 'db' | 'clock' | 'callAgents'>): Promise<boolean> => {
  const instance = await read(db, 'global', findInstance);
  if (instance.localMembershipsAdoptedAt !== null) {
    return true;
  }
  const { firstOperatorId: firstId } = instance;
  const first = firstId && (await read(db, 'global', (tx) => findOperator(tx, firstId)));
  if (!first) {
    return false;
  }
  const { id, email, name } = first;
  await callAgents(transferLocalMembershipsContract, { operator: { id, email, name } });
  await write(db, 'global', (tx) => recordTransfer(tx, clock()));
  return true;
};
