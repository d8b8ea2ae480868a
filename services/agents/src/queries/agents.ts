import type {
  AgentId,
  AgentStatus,
  CompanyId,
  CompanyStatus,
  HeldGrants,
  RunId,
} from '@commonplace/contracts/core';
import { budgetSumMax } from './sums.ts';
import type { CompanyTx } from '@commonplace/db';
import type { LockStrength } from './companies.ts';
import { jsonOfGrants } from './grants.ts';
import type { ChangeTx } from './tx.ts';

type Manager = {
  readonly id: AgentId;
  readonly name: string;
  readonly title: string;
  readonly role: string;
};

/** A row of `agents.agents`. */
export type AgentRow = {
  readonly id: AgentId;
  readonly companyId: CompanyId;
  readonly name: string;
  readonly title: string;
  readonly role: string;
  readonly status: AgentStatus;
  readonly reportsTo: AgentId | null;
  readonly monthlyCents: number | null;
  readonly monthlyTokens: number | null;
  /** The notes that its credentials reach at most; null: all. */
  readonly grants: HeldGrants;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An agent with its managers, nearest first, and its spending in one month (`2026-11-01`). */
export type AgentDetailRow = AgentRow & {
  readonly chainOfCommand: readonly Manager[];
  readonly month: string;
  readonly spentCents: number;
  readonly reservedCents: number;
  readonly spentTokens: number;
};

/** The columns of `AgentRow`; the table alias is `a`. */
const agentColumns = `
  a.id, a.company_id as "companyId", a.name, a.title, a.role, a.status,
  a.reports_to as "reportsTo", a.monthly_cents as "monthlyCents",
  a.monthly_tokens as "monthlyTokens", a.grants,
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

/**
 * Extends the agents that `page` selects (as `a`, ordered by name and id) to `AgentDetailRow`s.
 * `$1` is the company, `$2` the month. The depth limit ends the recursion even if the data
 * contained a cycle. Agents without a manager skip the recursion; most have none.
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
    least(coalesce(b.reserved_cents, 0), ${budgetSumMax}) as "reservedCents",
    least(coalesce(b.spent_tokens, 0), ${budgetSumMax}) as "spentTokens"
  from (select ${agentColumns} from agents.agents a ${page}) page
  left join agents.budget_months b
    on b.company_id = $1 and b.agent_id = page.id and b.month = $2::date
  order by page.name, page.id`;

/** Reads an agent with its chain of command and its spending in a month. */
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

/** Reads the row of an agent. */
export const findAgentRow = async (tx: CompanyTx, agentId: AgentId): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(findAgentRowSql, [tx.companyId, agentId]);
  return row ?? null;
};

const findAgentRowSql = `
  select ${agentColumns} from agents.agents a where a.company_id = $1 and a.id = $2`;

export type AgentState = {
  readonly agentStatus: AgentStatus;
  readonly companyStatus: CompanyStatus;
  readonly grants: HeldGrants;
};

/** Reads the status of an agent and of its company. */
export const findAgentState = async (
  tx: CompanyTx,
  agentId: AgentId,
): Promise<AgentState | null> => {
  const [row] = await tx.query<AgentState>(findAgentStateSql, [tx.companyId, agentId]);
  return row ?? null;
};

const findAgentStateSql = `
  select a.status as "agentStatus", c.status as "companyStatus", a.grants
  from agents.agents a
  join agents.companies c on c.company_id = $1
  where a.company_id = $1 and a.id = $2`;

export type AgentLimits = Pick<AgentRow, 'id' | 'status' | 'monthlyCents' | 'monthlyTokens'>;

/** Reads status and limits of the agents of runs. Lock the company first (`no key update`). */
export const listAgentsOfRuns = (tx: CompanyTx, runIds: readonly RunId[]): Promise<AgentLimits[]> =>
  tx.query<AgentLimits>(listAgentsOfRunsSql, [tx.companyId, runIds], 'agents.list-agents-of-runs');

const listAgentsOfRunsSql = `
  select a.id, a.status, a.monthly_cents as "monthlyCents", a.monthly_tokens as "monthlyTokens"
  from agents.agents a
  where a.company_id = $1
    and a.id in (
      select r.agent_id from agents.runs r where r.company_id = $1 and r.id = any ($2::uuid[])
    )`;

/** Reads and locks an agent; see `lockCompany` for lock strengths and lock order. */
export const lockAgent = async (
  tx: CompanyTx,
  agentId: AgentId,
  strength: LockStrength,
): Promise<AgentRow | null> => {
  const [row] = await tx.query<AgentRow>(`${findAgentRowSql} for ${strength}`, [
    tx.companyId,
    agentId,
  ]);
  return row ?? null;
};

/** Counts the agents of the company in any status, up to `max`, which bounds the cost. Lock the company first. */
export const countAgents = async (tx: CompanyTx, max: number): Promise<number> => {
  const [row] = await tx.query<{ agents: number }>(countAgentsSql, [tx.companyId, max]);
  return row?.agents ?? 0;
};

const countAgentsSql = `
  select count(*)::integer as agents
  from (select 1 from agents.agents where company_id = $1 limit $2) counted`;

export type NewAgent = Omit<AgentRow, 'companyId' | 'status' | 'updatedAt'>;

/** Inserts an active agent. */
export const insertAgent = async (tx: ChangeTx, agent: NewAgent): Promise<void> => {
  const { id, name, title, role, reportsTo, monthlyCents, createdAt, monthlyTokens } = agent;
  const fields = [id, name, title, role, reportsTo, monthlyCents, createdAt, monthlyTokens];
  const values = [tx.companyId, ...fields, jsonOfGrants(agent.grants)];
  await tx.query(insertAgentSql, values);
};

const insertAgentSql = `
  insert into agents.agents (
    company_id, id, name, title, role, status, reports_to, monthly_cents, created_at, updated_at,
    monthly_tokens, grants
  )
  values ($1, $2, $3, $4, $5, 'active', $6, $7, $8, $8, $9, $10)`;

/** Writes every mutable column of an agent. */
export const updateAgentRow = async (tx: ChangeTx, agent: AgentRow): Promise<void> => {
  const { id, name, title, role, status, reportsTo, monthlyCents, updatedAt } = agent;
  const fields = [id, name, title, role, status, reportsTo, monthlyCents, updatedAt];
  const values = [tx.companyId, ...fields, agent.monthlyTokens, jsonOfGrants(agent.grants)];
  await tx.query(updateAgentRowSql, values);
};

const updateAgentRowSql = `
  update agents.agents
  set name = $3, title = $4, role = $5, status = $6, reports_to = $7, monthly_cents = $8,
    updated_at = $9, monthly_tokens = $10, grants = $11
  where company_id = $1 and id = $2`;

export type DirectoryRow = Pick<AgentRow, 'id' | 'name' | 'role' | 'status'>;

/** Lists the agents of the company by name, then id, without budgets; returns up to `limit + 1` rows. */
export const listDirectory = (
  tx: CompanyTx,
  page: { readonly after: readonly [name: string, id: string] | null; readonly limit: number },
): Promise<DirectoryRow[]> =>
  tx.query<DirectoryRow>(listDirectorySql, [
    tx.companyId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listDirectorySql = `
  select a.id, a.name, a.role, a.status
  from agents.agents a
  where a.company_id = $1 and ($2::text is null or (a.name, a.id) > ($2, $3::uuid))
  order by a.name, a.id
  limit $4`;

export type AgentFilter = {
  readonly month: string;
  readonly status?: AgentStatus | undefined;
  readonly q?: string | undefined;
  readonly reportsTo?: AgentId | undefined;
};

/** Lists the agents of the company by name, then id; returns up to `limit + 1` rows. */
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

// strpos instead of LIKE: % and _ in the search text are literals.
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
