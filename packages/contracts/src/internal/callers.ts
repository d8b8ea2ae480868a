import { z } from 'zod';
import { byServices } from '../access.ts';
import { agentStatus, companyStatus, role } from '../caller-roles.ts';
import { noteGrant } from '../grants.ts';
import { agentId, companyId, connectionId, keyId, operatorId, runId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { scope } from '../scopes.ts';

/**
 * Notes → agents: may the background work or the waiting request of this agent continue? Null when
 * the company has no such agent, or the given key, run or connection has ended. `scopes` is absent if that
 * credential has all, and `grants` if it reaches all notes.
 */
export const checkAgentContract = routeContract({
  operationId: 'checkAgent',
  service: 'agents',
  method: 'post',
  path: '/internal/agents/check',
  tag: 'Internal',
  summary: 'Read the state of an agent and its company',
  body: z.strictObject({
    companyId,
    agentId,
    keyId: keyId.optional(),
    runId: runId.optional(),
    connectionId: connectionId.optional(),
  }),
  responses: {
    200: {
      description: 'The states, or null',
      schema: z.object({
        agent: z
          .object({
            agentStatus,
            companyStatus,
            scopes: z.array(scope).optional(),
            grants: z.array(noteGrant).optional(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: byServices('notes'),
});

/**
 * Notes → agents: the current state of an operator whose request waited. Null when it is disabled,
 * or its session has ended. The local operator has no session and is an owner of every company.
 */
export const checkOperatorCallerContract = routeContract({
  operationId: 'checkOperatorCaller',
  service: 'agents',
  method: 'post',
  path: '/internal/operators/check-caller',
  tag: 'Internal',
  summary: 'Read the state of an operator, its session and its membership of one company',
  body: z.strictObject({
    operatorId,
    isLocal: z.boolean(),
    sessionId: sessionId.nullable(),
    companyId: companyId.nullable(),
  }),
  responses: {
    200: {
      description: 'The operator, or null; without a membership if no company was given',
      schema: z.object({
        operator: z
          .object({
            isAdmin: z.boolean(),
            /** What the operator orders carries it; absent for the local operator, and from releases that do not say. */
            accessEpoch: z.int().optional(),
            membership: z
              .object({
                role,
                companyStatus,
                grants: z.array(noteGrant).optional(),
                /** When it began; absent for the local operator, and from releases that do not say. */
                since: z.string().optional(),
              })
              .nullable(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: byServices('notes'),
});

/**
 * Agents → auth: is this operator active, and is it an administrator? For background work, for the
 * creator of an invite, before a company is created, and, with its session, for a request that
 * waited. A disabled operator, or one whose session has ended, is neither.
 */
export const checkOperatorContract = routeContract({
  operationId: 'checkOperator',
  service: 'auth',
  method: 'post',
  path: '/internal/operators/check',
  tag: 'Internal',
  summary: 'Check whether an operator exists and is not disabled',
  body: z.strictObject({ operatorId, sessionId: sessionId.optional() }),
  responses: {
    200: {
      description: 'The state of the operator',
      schema: z.object({
        isActive: z.boolean(),
        isAdministrator: z.boolean(),
        /**
         * Rises whenever everything that gave access to the account is removed, and whenever it is disabled; absent for
         * inactive operators, and from releases that do not know.
         */
        accessEpoch: z.int().optional(),
        /** Whether the sign-in of the session is recent; absent from releases that do not know. */
        hasRecentSignIn: z.boolean().optional(),
      }),
    },
  },
  errors: [],
  access: byServices('agents'),
});
