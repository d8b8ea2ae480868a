import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { operator } from './operator.ts';

/** Lists the operators of the instance, for administrators. */
export const listOperatorsContract = routeContract({
  operationId: 'listOperators',
  service: 'auth',
  method: 'get',
  path: '/api/auth/operators',
  tag: 'Operators',
  summary: 'List all operators',
  description: 'Ordered by e-mail, including disabled operators.',
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of operators', schema: pageOf(operator) } },
  errors: [],
  access: { kind: 'administrator' },
});
