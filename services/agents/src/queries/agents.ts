import type { AgentId, AgentStatus, CompanyId, CompanyStatus } from '@commonplace/contracts/core';
import { budgetSumMax } from './budgets.ts';
import type { CompanyTx } from '@commonplace/db';
import type { LockStrength } from './companies.ts';
import type { ChangeTx } from './tx.ts';

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
export type AgentDetailRow = AgentRow & {
  readonly chainOfCommand: readonly Manager[];
  readonly month: string;
  readonly spentCents: number;
  readonly reservedCents: number;
};

/** The columns of an agent as `AgentRow` names them; `a` is the table. */
const agentColumns = `
  a.id, a.company_id as "companyId", a.name, a.title, a.role, a.status,
  a.reports_to as "reportsTo", a.monthly_cents as "monthlyCents",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

/**
 * Completes the agents that `page` selects (as `a`, ordered by name and id) to `AgentDetailRow`s.
 * `$1` is the company, `$2` the month. The depth bounds the walk even if the data were a circle; most
 * agents have nobody above them, and for those nothing is walked.
 */
const agentDetailSql = (page: string): string => `
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

/** Reads an agent with its chain of command and its bookings of a month. */
export const findAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  month: string,
): Promise<AgentDetailRow | null> => {
  const [row] = await tx.query<AgentDetailRow>(
    findAgentSql,
    [tx.companyId, month, agentId],
    'agents.find-agent',
  );
  return row ?? null;
};

const findAgentSql = agentDetailSql('where a.company_id = $1 and a.id = $3');

/** Reads an agent as it is stored. */
export const findAgentRow = async (tx: CompanyTx, agentId: AgentId): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(findAgentRowSql, [tx.companyId, agentId]);
  return row ?? null;
};

const findAgentRowSql = `
  select ${agentColumns} from agents.agents a where a.company_id = $1 and a.id = $2`;

export type AgentState = {
  readonly agentStatus: AgentStatus;
  readonly companyStatus: CompanyStatus;
};

/** Reads the states of an agent and its company. */
export const findAgentState = async (
  tx: CompanyTx,
  agentId: AgentId,
): Promise<AgentState | null> => {
  const [row] = await tx.query<AgentState>(findAgentStateSql, [tx.companyId, agentId]);
  return row ?? null;
};

const findAgentStateSql = `
  select a.status as "agentStatus", c.status as "companyStatus"
  from agents.agents a
  join agents.companies c on c.company_id = $1
  where a.company_id = $1 and a.id = $2`;

/** Reads and locks an agent; see `lockCompany` for strengths and order. */
export const lockAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  strength: LockStrength,
): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(`${lockAgentSql} for ${strength}`, [
    tx.companyId,
    agentId,
  ]);
  return row ?? null;
};

const lockAgentSql = `
  select ${agentColumns} from agents.agents a where a.company_id = $1 and a.id = $2`;

export type NewAgent = Omit<AgentRow, 'companyId' | 'status' | 'updatedAt'>;

/** Inserts an agent, active. */
export const insertAgent = async (tx: ChangeTx, agent: NewAgent): Promise<void> => {
  const { id, name, title, role, reportsTo, monthlyCents, createdAt } = agent;
  const values = [tx.companyId, id, name, title, role, reportsTo, monthlyCents, createdAt];
  await tx.query(insertAgentSql, values);
};

const insertAgentSql = `
  insert into agents.agents (
    company_id, id, name, title, role, status, reports_to, monthly_cents, created_at, updated_at
  )
  values ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $8)`;

/** Writes everything of an agent that may change. */
export const updateAgentRow = async (tx: ChangeTx, agent: AgentRow): Promise<void> => {
  const { id, name, title, role, status, reportsTo, monthlyCents, updatedAt } = agent;
  const values = [tx.companyId, id, name, title, role, status, reportsTo, monthlyCents, updatedAt];
  await tx.query(updateAgentRowSql, values);
};

const updateAgentRowSql = `
  update agents.agents
  set name = $3, title = $4, role = $5, status = $6, reports_to = $7, monthly_cents = $8,
    updated_at = $9
  where company_id = $1 and id = $2`;

export type AgentFilter = {
  readonly month: string;
  readonly status?: AgentStatus | undefined;
  readonly q?: string | undefined;
  readonly reportsTo?: AgentId | undefined;
};

/** The agents of the company by name, then id: one more than `limit`, if there are. */
export const listAgents = (
  tx: CompanyTx,
  filter: AgentFilter,
  page: { readonly after: readonly [name: string, id: string] | null; readonly limit: number },
): Promise<AgentDetailRow[]> =>
  tx.query<AgentDetailRow>(listAgentsSql, [
    tx.companyId,
    filter.month,
    filter.status ?? null,
    filter.q ?? null,
    filter.reportsTo ?? null,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

// strpos and not LIKE, so that % and _ in what people type mean themselves.
const listAgentsSql = agentDetailSql(`
  where a.company_id = $1
    and ($3::text is null or a.status = $3)
    and ($4::text is null
      or strpos(lower(a.name), lower($4)) > 0
      or strpos(lower(a.title), lower($4)) > 0
      or strpos(lower(a.role), lower($4)) > 0)
    and ($5::uuid is null or a.reports_to = $5)
    and ($6::text is null or (a.name, a.id) > ($6, $7::uuid))
  order by a.name, a.id
  limit $8`);
