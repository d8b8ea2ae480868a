import { z } from 'zod';
import { companyId, operatorId, sessionId } from '../ids.ts';
import { companyStatus, role } from '../caller-roles.ts';
import { routeContract } from '../route-contract.ts';

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
            membership: z.object({ role, companyStatus }).nullable(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['notes'] },
});
