import type { AgentId } from '@commonplace/contracts/core';
import type { ActivityActor } from '@commonplace/contracts/agents';
import type { ChangeTx } from './tx.ts';

export type RunCancellation = {
  readonly id: string;
  /** Null: the runs of every agent of the company. */
  readonly agentId: AgentId | null;
  readonly because: string;
  readonly actor: ActivityActor;
  readonly at: Date;
};

/** Records that running runs are to be cancelled, in the transaction that makes it so. */
export const insertRunCancellation = async (
  tx: ChangeTx,
  { id, agentId, because, actor, at }: RunCancellation,
): Promise<void> => {
  await tx.query(statement, [tx.companyId, id, agentId, because, actor, at]);
};

const statement = `
  insert into agents.run_cancellations (company_id, id, agent_id, because, actor, at)
  values ($1, $2, $3, $4, $5::jsonb, $6)`;
