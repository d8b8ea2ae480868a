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
    'It is refused on every replica within a second. A session that has ended or that is of another operator: 404.',
  params: z.object({ sessionId }),
  responses: { 204: { description: 'Ended' } },
  errors: ['not_found'],
  access: { kind: 'caller', agents: false },
});
