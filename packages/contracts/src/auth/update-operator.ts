import { z } from 'zod';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { operator } from './operator.ts';

/** Disables, enables and promotes operators. */
export const updateOperatorContract = routeContract({
  operationId: 'updateOperator',
  service: 'auth',
  method: 'patch',
  path: '/api/auth/operators/{operatorId}',
  tag: 'Operators',
  summary: 'Disable or enable an operator, or change its administrator flag',
  description:
    'Absent fields keep their value. A disabled operator cannot sign in, and its sessions end ' +
    'within a second. The last administrator who can sign in remains one: 409 `last_administrator`, ' +
    'even with concurrent changes. Making an administrator, or enabling one, needs a sign-in of the ' +
    'last 15 minutes.',
  params: z.object({ operatorId }),
  body: z.strictObject({ disabled: z.boolean().optional(), isAdmin: z.boolean().optional() }),
  responses: { 200: { description: 'The operator', schema: operator } },
  errors: ['not_found', 'last_administrator', 'reauthentication_required'],
  access: { kind: 'administrator' },
});
