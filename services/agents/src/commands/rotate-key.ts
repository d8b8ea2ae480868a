import type { KeyObject } from 'node:crypto';
import { AppError, type AgentId, type KeyId, type OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { isActiveKey } from '../policy/state.ts';
import { findKey, replaceKeyRow, setKeyExpiry, setKeyReplacement } from '../queries/keys.ts';
import { lockAgentKeys, insertNewKey, type CreatedKey } from './create-key.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

export type RotateKeyInput = {
  readonly agentId: AgentId;
  readonly keyId: KeyId;
  readonly overlapSeconds: number;
  readonly createdBy: OperatorId;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
};

/**
 * Replaces an active key. The new key has the name, scopes, grants and expiry of the old one, so a rotation
 * never extends access. Without an overlap the old key is revoked first, so that an agent with ten keys
 * can rotate. The runs of the old key go on until their tokens expire, or the new key renews them. A key is replaced
 * once: after that, the expiry that it had before the overlap is that of its successor.
 */
export const rotateKey = async (
  scope: CompanyTx,
  rotation: RotateKeyInput,
  audit: CallerAuditContext,
): Promise<CreatedKey> => {
  const { agentId, keyId, overlapSeconds, createdBy, peppers } = rotation;
  const tx = await lockAgentKeys(scope, agentId, audit);
  const old = await findKey(tx, agentId, keyId);
  if (!old) {
    throw new AppError('not_found');
  }
  if (old.replacedBy !== null) {
    const detail = `The key was replaced by ${old.replacedBy}. Rotate that one, or create another key.`;
    throw new AppError('key_not_live', detail, { extensions: { replacedBy: old.replacedBy } });
  }
  if (!isActiveKey(old, audit.at)) {
    throw new AppError('key_not_live');
  }
  if (overlapSeconds === 0) {
    await replaceKeyRow(tx, keyId, audit.at);
  } else {
    await setKeyExpiry(tx, keyId, new Date(audit.at.getTime() + overlapSeconds * 1000));
  }
  const { name, expiresAt, scopes, grants } = old;
  const successor = { agentId, name, expiresAt, scopes, grants, createdBy, peppers };
  const created = await insertNewKey(tx, successor, audit);
  await setKeyReplacement(tx, keyId, created.row.id);
  await recordActivity(tx, audit, [
    {
      action: 'key.rotated',
      entity: ['key', keyId],
      detail: { agentId, replacedBy: created.row.id, overlapSeconds },
    },
  ]);
  return created;
};
