import { z } from 'zod';
import { agentStatus } from '../caller-roles.ts';
import { lineOfText, timestamp } from '../common.ts';
import { agentId, companyId } from '../ids.ts';
import { grantList, requestedGrants } from '../grants.ts';
import { agentBudget, budgetLimits } from './budget.ts';

/** The maximum length of a chain of command. */
export const chainOfCommandMax = 32;

export const agent = z
  .object({
    id: agentId,
    companyId,
    name: z.string(),
    title: z.string(),
    role: z.string().meta({ description: 'Free text, for example `engineer`' }),
    status: agentStatus,
    reportsTo: agentId.nullable().meta({ description: 'The direct manager' }),
    chainOfCommand: z
      .array(z.object({ id: agentId, name: z.string(), title: z.string(), role: z.string() }))
      .meta({ description: 'From the direct manager to the top, at most 32' }),
    budget: agentBudget,
    grants: grantList.meta({
      description: 'The folders whose notes its credentials reach at most; null: all notes',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Agent',
    description:
      'An automated caller. Pausing cancels its runs and makes its keys read-only. Termination is ' +
      'final: it cancels the runs and revokes the keys. Reports keep a terminated manager until they ' +
      'are assigned another.',
  });
export type Agent = z.infer<typeof agent>;

/** The fields of an agent that clients set. */
export const agentFields = {
  name: lineOfText(1, 200),
  role: lineOfText(1, 64),
  title: lineOfText(0, 200),
  reportsTo: agentId.nullable(),
  budget: budgetLimits,
  grants: requestedGrants.nullable(),
};

export const createAgentBody = z.strictObject({
  name: agentFields.name,
  role: agentFields.role,
  title: agentFields.title.default(''),
  reportsTo: agentFields.reportsTo.default(null),
  budget: agentFields.budget.default({}),
  grants: agentFields.grants.default(null),
});
export type CreateAgentBody = z.infer<typeof createAgentBody>;

export const updateAgentBody = z.strictObject(agentFields).partial();
export type UpdateAgentBody = z.infer<typeof updateAgentBody>;

/** The path of one agent. */
export const agentParams = z.object({ agentId });
