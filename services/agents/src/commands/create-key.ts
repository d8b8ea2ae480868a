import type { KeyObject } from 'node:crypto';
import {
  AppError,
  keyId,
  listScopes,
  newId,
  type AgentId,
  listGrants,
  type HeldGrants,
  type HeldScopes,
  type OperatorId,
} from '@commonplace/contracts/core';
import { activeKeysMax } from '@commonplace/contracts/agents';
import type { CompanyTx } from '@commonplace/db';
import { apiKeyDigests, apiKeyPrefix, makeApiKey } from '@commonplace/identity';
import { assertNotTerminated } from '../policy/state.ts';
import { countActiveKeys, insertKey, type KeyRow } from '../queries/keys.ts';
import { insertEntityOwner } from '../queries/entity-owners.ts';
import { insertKeyDigest } from '../queries/key-digests.ts';
import { lockAgent } from '../queries/agents.ts';
import { lockActiveCompany } from './begin-change.ts';
import { recordActivity, type AuditContext, type CallerAuditContext } from './audit.ts';
import type { ChangeTx } from '../queries/tx.ts';

export type CreateKeyInput = {
  readonly agentId: AgentId;
  readonly name: string;
  readonly expiresAt: Date | null;
  readonly scopes: HeldScopes;
  readonly grants: HeldGrants;
  readonly createdBy: OperatorId;
  readonly peppers: readonly [KeyObject, ...KeyObject[]];
};

/** A new key with its value, which cannot be read again. */
export type CreatedKey = { readonly row: KeyRow; readonly key: string };

/** Creates a key for an agent. */
export const createKey = async (
  scope: CompanyTx,
  input: CreateKeyInput,
  audit: CallerAuditContext,
): Promise<CreatedKey> => {
  const tx = await lockAgentKeys(scope, input.agentId, audit);
  return insertNewKey(tx, input, audit);
};

/** Locks the agent, so that no other transaction creates or changes its keys. */
export const lockAgentKeys = async (
  scope: CompanyTx,
  agentId: AgentId,
  audit: CallerAuditContext,
): Promise<ChangeTx> => {
  const { tx } = await lockActiveCompany(scope, audit);
  const agent = await lockAgent(tx, agentId, 'no key update');
  if (!agent) {
    throw new AppError('not_found');
  }
  assertNotTerminated(agent.status);
  return tx;
};

/** Inserts a new key unless the agent has ten active ones. Lock the keys first. */
export const insertNewKey = async (
  tx: ChangeTx,
  input: CreateKeyInput,
  audit: AuditContext,
): Promise<CreatedKey> => {
  const { agentId, name, expiresAt, scopes, grants, createdBy, peppers } = input;
  if ((await countActiveKeys(tx, agentId, audit.at)) >= activeKeysMax) {
    throw new AppError('key_limit');
  }
  const key = makeApiKey();
  const id = keyId.parse(newId());
  const prefix = apiKeyPrefix(key);
  const createdAt = audit.at;
  const row = await insertKey(tx, {
    id,
    agentId,
    name,
    prefix,
    scopes,
    grants,
    createdBy,
    createdAt,
    expiresAt,
  });
  await insertKeyDigest(tx, id, apiKeyDigests(peppers, key)[0]);
  await insertEntityOwner(tx, 'key', id);
  await recordActivity(tx, audit, [
    {
      action: 'key.created',
      entity: ['key', id],
      detail: {
        agentId,
        name,
        prefix,
        expiresAt,
        scopes: listScopes(scopes),
        ...(grants ? { grants: listGrants(grants) } : {}),
      },
    },
  ]);
  return { row, key };
};
