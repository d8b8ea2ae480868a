import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signIn } from './sign-in.ts';

/** Lists the sign-in history. */
export const listSignInsContract = routeContract({
  operationId: 'listSignIns',
  service: 'auth',
  method: 'get',
  path: '/api/auth/activity',
  tag: 'Sessions',
  summary: 'List sign-ins',
  description:
    "Newest first: the caller's own sign-ins and failed attempts; for administrators those of all " +
    'operators and of unknown e-mails. Kept for 90 days; only a part of very many failures is ' +
    'recorded.',
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of sign-ins', schema: pageOf(signIn) } },
  errors: [],
  access: { kind: 'caller', agents: false },
});
