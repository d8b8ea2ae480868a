import { z } from 'zod';
import { pageOf, pageQuery } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { session } from './session.ts';

/** Lists the sessions of the caller. */
export const listSessionsContract = routeContract({
  operationId: 'listSessions',
  service: 'auth',
  method: 'get',
  path: '/api/auth/sessions',
  tag: 'Sessions',
  summary: 'List your active sessions',
  description:
    'Newest first. An operator has at most 10; a new one ends the oldest. The local board operator ' +
    'has none.',
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of sessions', schema: pageOf(session) } },
  errors: [],
  access: { kind: 'caller', agents: false },
  duringEnrolment: true,
});
