import { z } from 'zod';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Agents → auth: which of these operators proved their e-mail, and which can sign in. */
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
  access: { kind: 'service', callers: ['agents'] },
});
