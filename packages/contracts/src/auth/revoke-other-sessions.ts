import { routeContract } from '../route-contract.ts';

/** Ends all sessions of the caller but the one it calls with. */
export const revokeOtherSessionsContract = routeContract({
  operationId: 'revokeOtherSessions',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/sessions',
  tag: 'Sessions',
  summary: 'End all your other sessions',
  description:
    'Every session but the one of this request ends, one that is just being begun elsewhere included.',
  responses: { 204: { description: 'Ended' } },
  errors: [],
  access: { kind: 'caller', agents: false },
});
