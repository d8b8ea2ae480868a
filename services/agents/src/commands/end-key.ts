import { AppError, type AgentId, type KeyId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { findKey } from '../queries/find-key.ts';
import { revokeKey } from '../queries/revoke-key.ts';
import { openCompany } from './open-company.ts';
import { recordActivity } from './record-activity.ts';
import type { CallerDoing } from './actor-of.ts';

/** Revokes a key; one that is revoked already keeps its time. */
export const endKey = async (
  scope: CompanyTx,
  { agentId, keyId }: { readonly agentId: AgentId; readonly keyId: KeyId },
  doing: CallerDoing,
): Promise<void> => {
  const { tx } = await openCompany(scope, doing);
  const key = await findKey(tx, agentId, keyId);
  if (!key) {
    throw new AppError('not_found');
  }
  if (await revokeKey(tx, keyId, doing.at)) {
    await recordActivity(tx, doing, [
      { action: 'key.revoked', entity: ['key', keyId], detail: { agentId, name: key.name } },
    ]);
  }
};
