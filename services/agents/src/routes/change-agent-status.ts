import type { AgentStatus } from '@commonplace/contracts/core';
import {
  pauseAgentContract,
  resumeAgentContract,
  terminateAgentContract,
} from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { changeAgentStatus } from '../commands/change-agent-status.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import { readAgent } from '../commands/read-agent.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/present-agent.ts';

type Contract =
  | typeof pauseAgentContract
  | typeof resumeAgentContract
  | typeof terminateAgentContract;

/** The three routes differ in nothing but the state they lead to. */
const statusRoute =
  (contract: Contract, status: AgentStatus) => (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
    defineRoute(contract, async (request) => {
      const {
        params: { agentId },
        company,
      } = request;
      const doing = doingOf(request, deps.clock);
      await withCompany(deps.db, company.id, (tx) =>
        changeAgentStatus(tx, { agentId, status }, doing),
      );
      if (status !== 'active') {
        await cancelFirstRuns(deps, company.id);
      }
      const row = await readInCompany(deps.db, company.id, (tx) =>
        readAgent(tx, agentId, doing.at),
      );
      return reply(200, presentAgent(row));
    });

export const pauseAgentRoute = statusRoute(pauseAgentContract, 'paused');
export const resumeAgentRoute = statusRoute(resumeAgentContract, 'active');
export const terminateAgentRoute = statusRoute(terminateAgentContract, 'terminated');
