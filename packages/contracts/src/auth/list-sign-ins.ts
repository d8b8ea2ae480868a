import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signIn } from './sign-in.ts';

/** Shows the sign-in history. */
export const listSignInsContract = routeContract({
  operationId: 'listSignIns',
  service: 'auth',
  method: 'get',
  path: '/api/auth/activity',
  tag: 'Sessions',
  summary: 'List sign-ins',
  description:
    "Newest first: the caller's own sign-ins and failed tries; for administrators everyone's, tries for unknown e-mails included. Kept for 90 days; a flood of failures is recorded in part only.",
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of sign-ins', schema: pageOf(signIn) } },
  errors: [],
  access: { kind: 'caller', agents: false },
});
