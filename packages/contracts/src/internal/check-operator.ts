import { z } from 'zod';
import { operatorId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

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
  access: { kind: 'service', callers: ['agents'] },
});
