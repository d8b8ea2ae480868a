import type { AgentStatus } from '@commonplace/contracts/core';
import {
  pauseAgentContract,
  resumeAgentContract,
  terminateAgentContract,
} from '@commonplace/contracts/agents';
import { readInCompany, withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextOf } from '../commands/audit.ts';
import { updateAgentStatus } from '../commands/update-agent-status.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { Deps } from '../deps.ts';
import { presentAgent } from '../present/agents.ts';

type Contract =
  | typeof pauseAgentContract
  | typeof resumeAgentContract
  | typeof terminateAgentContract;

/** The three routes differ in nothing but the state they lead to. */
const agentStatusRoute =
  (contract: Contract, status: AgentStatus) => (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
    defineRoute(contract, async (request) => {
      const {
        params: { agentId },
        company,
      } = request;
      const audit = auditContextOf(request, deps.clock);
      await withCompany(deps.db, company.id, (tx) =>
        updateAgentStatus(tx, { agentId, status }, audit),
      );
      if (status !== 'active') {
        await cancelFirstRuns(deps, company.id);
      }
      const row = await readInCompany(deps.db, company.id, (tx) =>
        readAgent(tx, agentId, audit.at),
      );
      return reply(200, presentAgent(row));
    });

export const pauseAgentRoute = agentStatusRoute(pauseAgentContract, 'paused');
export const resumeAgentRoute = agentStatusRoute(resumeAgentContract, 'active');
export const terminateAgentRoute = agentStatusRoute(terminateAgentContract, 'terminated');
