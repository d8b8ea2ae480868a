import { z } from 'zod';
import { byServices } from '../access.ts';
import { connectionClient } from '../agents/connections.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { noteGrant } from '../grants.ts';
import { agentId, companyId, connectionId, keyId, operatorId, runId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { connectionResource, scope } from '../scopes.ts';

const verifiedKey = z.object({
  keyId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  expiresAt: timestamp.nullable(),
});

/**
 * Gateway → agents: the agent of an API key. `digests` are the hex HMAC-SHA256 of the key under
 * each pepper, the current one first; a key found by an old pepper is rehashed. `key` is null for
 * unknown, revoked and expired keys, terminated agents and archived companies. A key with fewer than all
 * scopes is in `scopedKey` instead: a gateway of a release without scopes finds no key and rejects it. One with grants,
 * its own or those of its agent, is in `grantedKey`; the grants are what both allow.
 */
export const verifyKeyContract = routeContract({
  operationId: 'verifyKey',
  service: 'agents',
  method: 'post',
  path: '/internal/keys/verify',
  tag: 'Internal',
  summary: 'Look up an API key by its digest',
  body: z.strictObject({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(8),
  }),
  responses: {
    200: {
      description: 'The agent of the key, or null',
      schema: z.object({
        key: verifiedKey.nullable(),
        scopedKey: verifiedKey.extend({ scopes: z.array(scope) }).optional(),
        /** `scopes` null: all. */
        grantedKey: verifiedKey
          .extend({ scopes: z.array(scope).nullable(), grants: z.array(noteGrant) })
          .optional(),
      }),
    },
  },
  errors: [],
  access: byServices('gateway'),
});

const verifiedRun = z.object({
  runId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  tokenExpiresAt: timestamp,
});

/**
 * Gateway → agents: is this run running? `run` is null if it is unknown, has ended or
 * expired, its agent is not active or its company is archived. A run with fewer than all scopes is in
 * `scopedRun`, one with grants in `grantedRun` instead; see `verifyKeyContract`.
 */
export const verifyRunContract = routeContract({
  operationId: 'verifyRun',
  service: 'agents',
  method: 'post',
  path: '/internal/runs/verify',
  tag: 'Internal',
  summary: 'Look up a running run',
  body: z.strictObject({
    runId,
    /** Also report a run that ended within the last hour. */
    includeEnded: z.boolean().optional(),
  }),
  responses: {
    200: {
      description: 'The running run, or null',
      schema: z.object({
        run: verifiedRun.nullable(),
        scopedRun: verifiedRun.extend({ scopes: z.array(scope) }).optional(),
        /** `scopes` null: all. */
        grantedRun: verifiedRun
          .extend({ scopes: z.array(scope).nullable(), grants: z.array(noteGrant) })
          .optional(),
        /** `scopes` null: all. It is good for nothing but repeating reports of usage. */
        endedRun: verifiedRun
          .extend({ scopes: z.array(scope).nullable(), endedAt: timestamp })
          .optional(),
      }),
    },
  },
  errors: [],
  access: byServices('gateway'),
});

const verifiedConnection = z.object({
  connectionId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  expiresAt: timestamp,
  scopes: z.array(scope),
  resource: connectionResource,
  client: connectionClient.pick({ name: true, host: true }),
});

/**
 * Gateway → agents: the agent of an access token of a connection, by its digests as in `verifyKeyContract`. Null for
 * unknown and expired tokens, connections that have ended, terminated agents, archived companies, and operators who are
 * disabled or no longer members. `scopes` are those that the operator's present role allows. A connection with grants is in
 * `grantedConnection` instead: a gateway of a release without grants rejects it.
 */
export const verifyConnectionContract = routeContract({
  operationId: 'verifyConnection',
  service: 'agents',
  method: 'post',
  path: '/internal/connections/verify',
  tag: 'Internal',
  summary: 'Look up an access token of a connection by its digest',
  body: z.strictObject({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(8),
  }),
  responses: {
    200: {
      description: 'The agent of the connection, or null',
      schema: z.object({
        connection: verifiedConnection.nullable(),
        grantedConnection: verifiedConnection.extend({ grants: z.array(noteGrant) }).optional(),
      }),
    },
  },
  errors: [],
  access: byServices('gateway'),
});

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
  access: byServices('gateway'),
});
