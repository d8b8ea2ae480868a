import { AppError, type AgentId, type RunId, type CompanyId } from '@commonplace/contracts/core';
import { read, type CompanyTx, type Db } from '@commonplace/db';
import { budgetMonth } from '../policy/runs.ts';
import { type AgentDetailRow, findAgent, findAgentState } from '../queries/agents.ts';
import { findRun, type RunRow } from '../queries/runs.ts';

/** Reads an agent with its chain of command and its budget of the current month, or throws 404. */
export const readAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  now: Date,
): Promise<AgentDetailRow> => {
  const agent = await findAgent(tx, agentId, budgetMonth(now));
  if (!agent) {
    throw new AppError('not_found');
  }
  return agent;
};

/** Reads a run, or throws 404. */
export const readRun = async (tx: CompanyTx, runId: RunId): Promise<RunRow> => {
  const run = await findRun(tx, runId);
  if (!run) {
    throw new AppError('not_found');
  }
  return run;
};

/** Throws 404 for an agent that is not in the company; lists call it when they are empty. */
export const assertAgentExists = async (
  db: Db,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<void> => {
  if (!(await read(db, companyId, (tx) => findAgentState(tx, agentId)))) {
    throw new AppError('not_found');
  }
};
