import { AppError, type AgentId, type KeyId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { findKey, revokeKeyRow } from '../queries/keys.ts';
import { queueSourceCancellation } from './queue-source-cancellation.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type CallerAuditContext } from './audit.ts';

/**
 * Revokes a key; a revoked key keeps its time. The tokens of its runs are invalid as soon as this commits; the runs
 * are queued for cancellation.
 */
export const revokeKey = async (
  scope: CompanyTx,
  { agentId, keyId }: { readonly agentId: AgentId; readonly keyId: KeyId },
  audit: CallerAuditContext,
): Promise<void> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const key = await findKey(tx, agentId, keyId);
  if (!key) {
    throw new AppError('not_found');
  }
  if (await revokeKeyRow(tx, keyId, audit.at)) {
    await recordActivity(tx, audit, [
      { action: 'key.revoked', entity: ['key', keyId], detail: { agentId, name: key.name } },
    ]);
    await queueSourceCancellation(tx, {
      keyId,
      operatorId: null,
      beforeEpoch: null,
      reason: 'key revoked',
      ...audit,
    });
  }
};
