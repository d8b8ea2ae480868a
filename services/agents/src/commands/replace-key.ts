import type { KeyObject } from 'node:crypto';
import { AppError, type AgentId, type KeyId, type OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { isLivingKey } from '../policy/is-living-key.ts';
import { findKey } from '../queries/find-key.ts';
import { revokeKey } from '../queries/revoke-key.ts';
import { shortenKey } from '../queries/shorten-key.ts';
import { lockKeys, storeKey, type MadeKey } from './add-key.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

export type Rotation = {
  readonly agentId: AgentId;
  readonly keyId: KeyId;
  readonly overlapSeconds: number;
  readonly createdBy: OperatorId;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
};

/**
 * Replaces a living key. The new one gets name and expiry of the old one: a rotation extends nothing.
 * Without an overlap the old key ends first, so that an agent with ten keys can still rotate.
 */
export const replaceKey = async (
  scope: CompanyTx,
  rotation: Rotation,
  doing: CallerDoing,
): Promise<MadeKey> => {
  const { agentId, keyId, overlapSeconds, createdBy, peppers } = rotation;
  const tx = await lockKeys(scope, agentId, doing);
  const old = await findKey(tx, agentId, keyId);
  if (!old) {
    throw new AppError('not_found');
  }
  if (!isLivingKey(old, doing.at)) {
    throw new AppError('key_not_live');
  }
  if (overlapSeconds === 0) {
    await revokeKey(tx, keyId, doing.at);
  } else {
    await shortenKey(tx, keyId, new Date(doing.at.getTime() + overlapSeconds * 1000));
  }
  const { name, expiresAt } = old;
  const made = await storeKey(tx, { agentId, name, expiresAt, createdBy, peppers }, doing);
  await recordActivity(tx, doing, [
    {
      action: 'key.rotated',
      entity: ['key', keyId],
      detail: { agentId, replacedBy: made.row.id, overlapSeconds },
    },
  ]);
  return made;
};
