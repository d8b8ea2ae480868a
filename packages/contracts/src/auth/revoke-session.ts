import { z } from 'zod';
import { sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** Ends one of the caller's sessions. */
export const revokeSessionContract = routeContract({
  operationId: 'revokeSession',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/sessions/{sessionId}',
  tag: 'Sessions',
  summary: 'End one of your sessions',
  description:
    'Every replica rejects the session within a second. 404 for a session that has ended or is of ' +
    'another operator.',
  params: z.object({ sessionId }),
  responses: { 204: { description: 'Ended' } },
  errors: ['not_found'],
  access: { kind: 'caller', agents: false },
});
