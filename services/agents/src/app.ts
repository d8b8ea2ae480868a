import type { RequestListener } from 'node:http';
import type { AgentId, KeyId } from '@commonplace/contracts/core';
import { schemaCheck } from '@commonplace/checks';
import { assertDatabase, lookup, read } from '@commonplace/db';
import { buildApp, callerRecheck } from '@commonplace/http';
import { createAgentOfRun } from './commands/agent-of-run.ts';
import { callerLookups } from './commands/caller-lookups.ts';
import type { Deps } from './deps.ts';
import { limitRoutes } from './limit-routes.ts';
import { findEntityOwner } from './queries/entity-owners.ts';
import { findKey } from './queries/keys.ts';
import { routes } from './routes/index.ts';
import { schemaNeeds } from './schema-needs.ts';

export type AppDeps = Deps & {
  /** Throws until the configuration is known to match the database. */
  readonly assertConfiguration?: () => Promise<void>;
};

/**
 * Creates the agents service: companies, members, agents, keys, runs, budgets and the audit log.
 */
export const createApp = (deps: AppDeps): RequestListener => {
  const ownerOf = (kind: 'agent' | 'key' | 'connection' | 'run' | 'invite') => (id: string) =>
    read(deps.lookups, 'global', (tx) => findEntityOwner(tx, kind, id));
  const assertSchema = schemaCheck(deps.db, schemaNeeds);
  return buildApp({
    routes: limitRoutes(routes(deps), deps),
    verifyIdentity: deps.verifyIdentity,
    recheckCaller: callerRecheck(callerLookups(deps)),
    log: deps.log,
    onResponse: deps.onResponse,
    owners: {
      agent: ownerOf('agent'),
      key: ownerOf('key'),
      connection: ownerOf('connection'),
      run: ownerOf('run'),
      invite: ownerOf('invite'),
    },
    parts: {
      key: async (companyId, params) =>
        (await lookup(deps.lookups, companyId, (tx) =>
          findKey(tx, params['agentId'] as AgentId, params['keyId'] as KeyId),
        )) !== null,
    },
    agentOfRun: createAgentOfRun(deps.lookups),
    isReady: async () => {
      await assertSchema();
      await deps.assertConfiguration?.();
      await assertDatabase(deps.db, 'agents.companies');
    },
  });
};
