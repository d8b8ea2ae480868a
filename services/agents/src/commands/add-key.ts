import type { KeyObject } from 'node:crypto';
import { AppError, keyId, newId, type AgentId, type OperatorId } from '@commonplace/contracts/core';
import { livingKeysMax } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { apiKeyDigests, apiKeyPrefix, makeApiKey } from '@commonplace/identity';
import { assertNotTerminated } from '../policy/assert-agent-state.ts';
import { countLivingKeys } from '../queries/count-living-keys.ts';
import { insertEntityOwner } from '../queries/insert-entity-owner.ts';
import { insertKey } from '../queries/insert-key.ts';
import { insertKeyDigest } from '../queries/insert-key-digest.ts';
import type { KeyRow } from '../queries/key-row.ts';
import { lockAgent } from '../queries/lock-agent.ts';
import { openCompany } from './open-company.ts';
import { recordActivity, type Doing } from './record-activity.ts';
import type { ChangeTx } from '../queries/tx.ts';
import type { CallerDoing } from './actor-of.ts';

export type KeyOrder = {
  readonly agentId: AgentId;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly createdBy: OperatorId;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
};

/** A new key, and its value: nobody can read it again. */
export type MadeKey = { readonly row: KeyRow; readonly key: string };

/** Makes a key for an agent. */
export const addKey = async (
  scope: CompanyTx,
  order: KeyOrder,
  doing: CallerDoing,
): Promise<MadeKey> => {
  const tx = await lockKeys(scope, order.agentId, doing);
  return storeKey(tx, order, doing);
};

/** Locks the agent, so that nobody else makes or changes keys of it until we are done. */
export const lockKeys = async (
  scope: CompanyTx,
  agentId: AgentId,
  doing: CallerDoing,
): Promise<ChangeTx> => {
  const { tx } = await openCompany(scope, doing);
  const agent = await lockAgent(tx, agentId, 'no key update');
  if (!agent) {
    throw new AppError('not_found');
  }
  assertNotTerminated(agent.status);
  return tx;
};

/** Stores a new key unless the agent has ten living ones. Lock the keys first. */
export const storeKey = async (tx: ChangeTx, order: KeyOrder, doing: Doing): Promise<MadeKey> => {
  const { agentId, name, expiresAt, createdBy, peppers } = order;
  if ((await countLivingKeys(tx, agentId, doing.at)) >= livingKeysMax) {
    throw new AppError('key_limit');
  }
  const key = makeApiKey();
  const id = keyId.parse(newId());
  const prefix = apiKeyPrefix(key);
  const createdAt = doing.at;
  const row = await insertKey(tx, { id, agentId, name, prefix, createdBy, createdAt, expiresAt });
  await insertKeyDigest(tx, id, apiKeyDigests(peppers, key)[0]);
  await insertEntityOwner(tx, 'key', id);
  await recordActivity(tx, doing, [
    { action: 'key.created', entity: ['key', id], detail: { agentId, name, prefix, expiresAt } },
  ]);
  return { row, key };
};
