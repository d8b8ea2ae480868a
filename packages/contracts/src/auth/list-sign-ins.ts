import { z } from 'zod';
import { email, pageOf, pageQuery, timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signIn, signInMethod, signInOutcome } from './sign-in.ts';

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
  query: z.object({
    ...pageQuery,
    outcome: signInOutcome.optional(),
    method: signInMethod.optional(),
    operatorId: operatorId.optional().meta({ description: 'Only those of this account' }),
    email: email.optional().meta({
      description: 'Only those with this e-mail, whether or not an account has it',
    }),
    since: timestamp.optional().meta({ description: 'Only those at that time or later' }),
    until: timestamp.optional().meta({ description: 'Only those before' }),
  }),
  responses: { 200: { description: 'A page of sign-ins', schema: pageOf(signIn) } },
  errors: [],
  access: { kind: 'caller', agents: false },
});
