import { checkAgentContract } from '@commonplace/contracts/internal';
import { defineRoute, reply } from '@commonplace/http';
import { findAgentCaller } from '../../commands/find-caller.ts';
import type { Deps } from '../../deps.ts';

export const checkAgentRoute = (deps: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(checkAgentContract, async ({ body: { companyId, agentId, keyId, runId } }) => {
    const named = { companyId, agentId, keyId: keyId ?? null, runId: runId ?? null };
    return reply(200, { agent: await findAgentCaller(deps, named) });
  });
