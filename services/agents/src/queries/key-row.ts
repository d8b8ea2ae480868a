import type { AgentId, CompanyId, KeyId, OperatorId } from '@commonplace/contracts/core';

/** What is stored of an API key; its digest stands in a table of its own. */
export type KeyRow = {
  readonly id: KeyId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly prefix: string;
  readonly createdBy: OperatorId;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The columns of a key as `KeyRow` names them. */
export const keyColumns = `
  id, agent_id as "agentId", company_id as "companyId", name, prefix, created_by as "createdBy",
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt"`;
