import type { AgentId, AgentStatus, CompanyId } from '@commonplace/contracts/core';
import { budgetSumMax } from './budget-sum-max.ts';

type Manager = {
  readonly id: AgentId;
  readonly name: string;
  readonly title: string;
  readonly role: string;
};

/** An agent as it is stored. */
export type AgentRow = {
  readonly id: AgentId;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly status: AgentStatus;
  readonly reportsTo: AgentId | null;
  readonly monthlyCents: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An agent with its managers, nearest first, and its bookings of one month (`2026-11-01`). */
export type FullAgentRow = AgentRow & {
  readonly chainOfCommand: readonly Manager[];
  readonly month: string;
  readonly spentCents: number;
  readonly reservedCents: number;
};

/** The columns of an agent as `AgentRow` names them; `a` is the table. */
export const agentColumns = `
  a.id, a.company_id as "companyId", a.name, a.title, a.role, a.status,
  a.reports_to as "reportsTo", a.monthly_cents as "monthlyCents",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

/**
 * Completes the agents that `page` selects (as `a`, ordered by name and id) to `FullAgentRow`s.
 * `$1` is the company, `$2` the month. The depth bounds the walk even if the data were a circle; most
 * agents have nobody above them, and for those nothing is walked.
 */
export const fullAgents = (page: string): string => `
  select page.*, case when page."reportsTo" is null then '[]' else (
      with recursive chain as (
        select 1 as depth, m.id, m.name, m.title, m.role, m.reports_to
        from agents.agents m
        where m.company_id = $1 and m.id = page."reportsTo"
        union all
        select chain.depth + 1, m.id, m.name, m.title, m.role, m.reports_to
        from chain
        join agents.agents m on m.company_id = $1 and m.id = chain.reports_to
        where chain.depth < 32
      )
      select coalesce(json_agg(
        json_build_object('id', id, 'name', name, 'title', title, 'role', role) order by depth
      ), '[]') from chain
    ) end as "chainOfCommand",
    $2::date::text as month,
    least(coalesce(b.spent_cents, 0), ${budgetSumMax}) as "spentCents",
    least(coalesce(b.reserved_cents, 0), ${budgetSumMax}) as "reservedCents"
  from (select ${agentColumns} from agents.agents a ${page}) page
  left join agents.budget_months b
    on b.company_id = $1 and b.agent_id = page.id and b.month = $2::date
  order by page.name, page.id`;
