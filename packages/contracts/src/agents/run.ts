import { z } from 'zod';
import { timestamp } from '../common.ts';
import { agentId, companyId, runId } from '../ids.ts';

export const runStatus = z.enum(['running', 'succeeded', 'failed', 'cancelled', 'expired']);
export type RunStatus = z.infer<typeof runStatus>;

export const runTrigger = z.enum(['manual', 'schedule', 'event']);
export type RunTrigger = z.infer<typeof runTrigger>;

/** Hours a run may go on in all, however often it is renewed. */
export const runLifetimeHours = 24;

export const run = z
  .object({
    id: runId,
    agentId,
    companyId,
    status: runStatus,
    trigger: runTrigger,
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    tokenExpiresAt: timestamp,
    reservedCents: z.int().meta({ description: 'Booked from the budget when the run began' }),
    costCents: z.int().nullable().meta({ description: 'Booked at its end; null while it runs' }),
  })
  .meta({
    id: 'Run',
    description:
      'One stretch of work of an agent. Its token dies with it. A run whose token was not renewed in ' +
      'time becomes `expired`.',
  });
export type Run = z.infer<typeof run>;

/** The path of one run. */
export const runParams = z.object({ runId });
