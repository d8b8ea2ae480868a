import { z } from 'zod';
import { operatorId, sessionId } from '../ids.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Gateway → auth: whose session is this?
 * `sessionDigest` is the hex SHA-256 of the session id; the id itself never leaves gateway and cookie.
 * `session` is null when it is unknown, idle or old beyond its limits, logged out, of a former session
 * epoch, or its operator is disabled. `touch` is false for traffic that must not keep it alive (feeds).
 */
export const verifySessionContract = routeContract({
  operationId: 'verifySession',
  service: 'auth',
  method: 'post',
  path: '/internal/sessions/verify',
  tag: 'Internal',
  summary: 'Look up a session by the digest of its id',
  body: z.strictObject({ sessionDigest: z.string().regex(/^[0-9a-f]{64}$/), touch: z.boolean() }),
  responses: {
    200: {
      description: 'The living session, or null',
      schema: z.object({
        session: z
          .object({
            sessionId,
            operatorId,
            email: z.string(),
            name: z.string(),
            isAdmin: z.boolean(),
            expiresAt: timestamp,
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
