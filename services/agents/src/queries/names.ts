import type { AgentId, OperatorId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

export type NameRow = { readonly id: string; readonly name: string };

/** The names of agents and members of the company. */
export const listNames = (
  tx: CompanyTx,
  { agentIds, operatorIds }: { agentIds: readonly AgentId[]; operatorIds: readonly OperatorId[] },
): Promise<NameRow[]> =>
  tx.query<NameRow>(
    listNamesSql,
    [tx.companyId, [...agentIds], [...operatorIds]],
    'agents.list-names',
  );

const listNamesSql = `
  select a.id, a.name from agents.agents a
  where a.company_id = $1 and a.id = any ($2::uuid[])
  union all
  select m.operator_id, m.name from agents.memberships m
  where m.company_id = $1 and m.operator_id = any ($3::uuid[])`;
