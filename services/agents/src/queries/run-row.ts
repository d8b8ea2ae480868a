import type { AgentId, CompanyId, RunId } from '@commonplace/contracts/core';
import type { RunStatus, RunTrigger } from '@commonplace/contracts/agents';

/** A run as it is stored. */
export type RunRow = {
  readonly id: RunId;
  readonly agentId: AgentId;
  readonly companyId: CompanyId;
  readonly status: RunStatus;
  readonly trigger: RunTrigger;
  readonly ttlSeconds: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly tokenExpiresAt: Date;
  /** The month of the booking: `2026-11-01`. */
  readonly budgetMonth: string;
  readonly reservedCents: number;
  readonly costCents: number | null;
};

/** A run that has ended, whose cost is known. */
export type EndedRunRow = RunRow & { readonly finishedAt: Date; readonly costCents: number };

/** The columns of a run as `RunRow` names them; `r` is the table. */
export const runColumns = `
  r.id, r.agent_id as "agentId", r.company_id as "companyId", r.status, r.trigger,
  r.ttl_seconds as "ttlSeconds", r.started_at as "startedAt", r.finished_at as "finishedAt",
  r.token_expires_at as "tokenExpiresAt", r.budget_month::text as "budgetMonth",
  r.reserved_cents as "reservedCents", r.cost_cents as "costCents"`;
