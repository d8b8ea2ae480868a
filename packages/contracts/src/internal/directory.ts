import { z } from 'zod';
import { byServices } from '../access.ts';
import { agent } from '../agents/agents.ts';
import { agentBudget } from '../agents/budgets.ts';
import { directoryEntry, type DirectoryEntry } from '../agents/directory.ts';
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
        'the name of an operator whose email is not verified',
      schema: z.object({
        agent: describedAgent.nullable(),
        names: z.record(z.string(), z.string()),
      }),
    },
  },
  errors: [],
  access: byServices('notes'),
});

/** Agents → auth: which of these operators have a verified email, and which can sign in. */
export const describeOperatorsContract = routeContract({
  operationId: 'describeOperators',
  service: 'auth',
  method: 'post',
  path: '/internal/operators/describe',
  tag: 'Internal',
  summary: 'Read the state of several operators',
  body: z.strictObject({ operatorIds: z.array(operatorId).max(1000) }),
  responses: {
    200: {
      description: 'The operators that exist',
      schema: z.object({
        items: z.array(
          z.object({
            operatorId,
            isEmailVerified: z.boolean(),
            isDisabled: z.boolean(),
            /** Neither disabled nor without a way in; absent from releases that do not know. */
            canSignIn: z.boolean().optional(),
          }),
        ),
      }),
    },
  },
  errors: [],
  access: byServices('agents'),
});

/** An agent as its colleagues know it. */
export type ListedColleague = DirectoryEntry;

/** Notes → agents: who works in a company. */
export const listColleaguesContract = routeContract({
  operationId: 'listColleagues',
  service: 'agents',
  method: 'post',
  path: '/internal/agents/list',
  tag: 'Internal',
  summary: 'List the agents of a company by name',
  body: z.strictObject({ companyId, limit: z.int().min(1).max(200) }),
  responses: {
    200: {
      description: 'The first agents by name',
      schema: z.object({ items: z.array(directoryEntry), hasMore: z.boolean() }),
    },
  },
  errors: [],
  access: byServices('notes'),
});
