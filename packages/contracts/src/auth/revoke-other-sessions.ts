import { routeContract } from '../route-contract.ts';

/** Ends all sessions of the caller except that of the request. */
export const revokeOtherSessionsContract = routeContract({
  operationId: 'revokeOtherSessions',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/sessions',
  tag: 'Sessions',
  summary: 'End all your other sessions',
  description:
    'Ends every session except that of this request, including sessions that are being created.',
  responses: { 204: { description: 'Ended' } },
  errors: [],
  access: { kind: 'caller', agents: false },
});
