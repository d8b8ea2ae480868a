import { z } from 'zod';
import { operatorId, sessionId } from '../ids.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';

/**
 * Gateway → auth: the operator of a session. `sessionDigest` is the hex SHA-256 of the session id,
 * which only the gateway and the cookie hold. `session` is null if it is unknown, past its limits,
 * logged out, of an old epoch, or its operator is disabled. `touch` is false for traffic that does
 * not extend the session (feeds).
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
      description: 'The active session, or null',
      schema: z.object({
        session: z
          .object({
            sessionId,
            operatorId,
            email: z.string(),
            name: z.string(),
            isAdmin: z.boolean(),
            expiresAt: timestamp,
            /** The operator may only set up a second factor. */
            mustEnrol: z.literal(true).optional(),
          })
          .nullable(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
