import { getMeContract } from '@commonplace/contracts/agents';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { AgentCaller } from '@commonplace/identity';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/agents.ts';

export const getMeRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(getMeContract, async ({ caller, company }) => {
    const row = await lookUpInCompany(db, company.id, (tx) =>
      readAgent(tx, caller.agentId, clock()),
    );
    return reply(200, { ...presentAgent(row), credential: credentialOf(caller) });
  });

const credentialOf = ({ keyId, runId, expiresAt }: AgentCaller) => ({
  kind: runId === null ? ('key' as const) : ('run' as const),
  ...(keyId === null ? {} : { keyId }),
  ...(runId === null ? {} : { runId }),
  expiresAt,
});
