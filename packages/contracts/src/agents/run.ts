import { z } from 'zod';
import { timestamp } from '../common.ts';
import { agentId, companyId, runId } from '../ids.ts';
import { grantList } from '../grants.ts';
import { scopeList } from '../scopes.ts';

export const runStatus = z.enum(['running', 'succeeded', 'failed', 'cancelled', 'expired']);
export type RunStatus = z.infer<typeof runStatus>;

export const runTrigger = z.enum(['manual', 'schedule', 'event']);
export type RunTrigger = z.infer<typeof runTrigger>;

/** The maximum duration of a run in hours, with all renewals. */
export const runLifetimeHours = 24;

export const run = z
  .object({
    id: runId,
    agentId,
    companyId,
    status: runStatus,
    trigger: runTrigger,
    scopes: scopeList,
    grants: grantList,
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    tokenExpiresAt: timestamp,
    reservedCents: z.int().meta({ description: 'Reserved from the budget at the start' }),
    costCents: z
      .int()
      .nullable()
      .meta({ description: 'Charged at its end; null while it is running' }),
    reportedCents: z.int().nullable().meta({
      description: 'The sum of the costs that it reported; null: it reported none',
    }),
    inputTokens: z.int().meta({ description: 'The sum of those it reported' }),
    outputTokens: z.int().meta({ description: 'The sum of those it reported' }),
    reason: z.string().nullable().meta({
      description:
        'Why it ended so, `budget` if a report exceeded one; null: not known, or running',
    }),
  })
  .meta({
    id: 'Run',
    description:
      'One execution of an agent. Its token is valid while it is running. A run whose token is not ' +
      'renewed in time becomes `expired`.',
  });
export type Run = z.infer<typeof run>;

/** The path of one run. */
export const runParams = z.object({ runId });
