import { z } from 'zod';
import { agent } from '../agents/agent.ts';
import { agentBudget } from '../agents/budget.ts';
import { agentId, companyId, operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** A process of the release before knows no budgets of tokens. */
const describedAgent = agent.omit({ grants: true }).extend({
  budget: agentBudget.extend({
    monthlyTokens: z.int().nullable().default(null),
    spentTokens: z.int().default(0),
    remainingTokens: z.int().nullable().default(null),
  }),
});

/** An agent as other services see it. */
export type DescribedAgent = z.infer<typeof describedAgent>;

/** Notes → agents: who an agent is, and the names of agents and operators of its company. */
export const describeAuthorsContract = routeContract({
  operationId: 'describeAuthors',
  service: 'agents',
  method: 'post',
  path: '/internal/authors/describe',
  tag: 'Internal',
  summary: 'Read an agent, and the names of authors',
  body: z.strictObject({
    companyId,
    agentId: agentId.nullable().meta({ description: 'The agent to read; null: none' }),
    agentIds: z.array(agentId).max(500),
    operatorIds: z.array(operatorId).max(500),
  }),
  responses: {
    200: {
      description:
        'The agent, or null, and the names by id; unknown ids have none. ` (unverified)` is part of ' +
        'the name of an operator whose e-mail nobody proved',
      schema: z.object({
        agent: describedAgent.nullable(),
        names: z.record(z.string(), z.string()),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['notes'] },
});
