import { z } from 'zod';
import { operatorId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Agents → auth: may this operator still do anything, and is it an administrator? Asked for work that outlives a
 * session, for who made an invite, before a company is founded, and for a request that waited: then its session is
 * named. An operator who is disabled, or whose session ended, is neither.
 */
export const checkOperatorContract = routeContract({
  operationId: 'checkOperator',
  service: 'auth',
  method: 'post',
  path: '/internal/operators/check',
  tag: 'Internal',
  summary: 'Tell whether an operator exists and is not disabled',
  body: z.strictObject({ operatorId, sessionId: sessionId.optional() }),
  responses: {
    200: {
      description: 'The answer',
      schema: z.object({ isActive: z.boolean(), isAdministrator: z.boolean() }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['agents'] },
});
