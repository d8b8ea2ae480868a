import { AppError, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { readInCompany, type Db } from '@commonplace/db';
import { findAgentState } from '../queries/find-agent-state.ts';

/** 404 for an agent the company does not have; lists ask it when they come out empty. */
export const assertAgentExists = async (
  db: Db,
  companyId: CompanyId,
  agentId: AgentId,
): Promise<void> => {
  if (!(await readInCompany(db, companyId, (tx) => findAgentState(tx, agentId)))) {
    throw new AppError('not_found');
  }
};
