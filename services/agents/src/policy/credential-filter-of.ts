import type { AgentId } from '@commonplace/contracts/core';

type Query = {
  readonly agentId?: AgentId | undefined;
  readonly active?: boolean | undefined;
  readonly unusedSince?: string | undefined;
  readonly expiresBefore?: string | undefined;
};

/** The filter of a list of credentials, as its query has it. */
export const credentialFilterOf = (query: Query, now: Date) => ({
  agentId: query.agentId ?? null,
  active: query.active ?? null,
  unusedSince: query.unusedSince ?? null,
  expiresBefore: query.expiresBefore ?? null,
  now,
});
