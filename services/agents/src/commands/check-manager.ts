import type { AgentId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertManager } from '../policy/assert-manager.ts';
import { findAgentRow } from '../queries/agents.ts';
import { listManagers, findReportDepth } from '../queries/reporting-lines.ts';

/**
 * Rejects an invalid manager (422). Lock the company first (`no key update`): two concurrent
 * changes could create a cycle that neither of them sees.
 */
export const checkManager = async (
  tx: CompanyTx,
  agentId: AgentId | null,
  managerId: AgentId,
): Promise<void> => {
  const manager = await findAgentRow(tx, managerId);
  assertManager({
    agentId,
    managerStatus: manager?.status ?? null,
    managers: await listManagers(tx, managerId),
    levelsBelow: agentId === null ? 0 : await findReportDepth(tx, agentId),
  });
};
