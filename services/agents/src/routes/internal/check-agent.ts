import { checkAgent } from '@commonplace/contracts/internal';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { findAgentState } from '../../queries/find-agent-state.ts';

export const checkAgentRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(checkAgent, async ({ body: { companyId, agentId } }) =>
    reply(200, {
      agent: await lookUpInCompany(db, companyId, (tx) => findAgentState(tx, agentId)),
    }),
  );
