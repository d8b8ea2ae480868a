import { z } from 'zod';
import { byOneself } from '../access.ts';
import { deploymentMode, role } from '../caller-roles.ts';
import { pageOf, pageQuery, timestamp } from '../common.ts';
import { grantList } from '../grants.ts';
import { companyId, sessionId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';
import { sessionMethod } from './sign-in.ts';

/** An active session of an operator. Its `id` is not the secret in the cookie. */
export const session = z
  .object({
    id: sessionId,
    createdAt: timestamp,
    lastSeenAt: timestamp.meta({ description: 'With a precision of one minute' }),
    expiresAt: timestamp.meta({
      description: '60 minutes after its last use, at most 12 hours after its start',
    }),
    signInMethod: sessionMethod.meta({ description: 'How the operator signed in' }),
    address: z.string().nullable().meta({ description: 'The address of the sign-in' }),
    userAgent: z.string().nullable(),
    current: z.boolean().meta({ description: 'Whether it is the session of this request' }),
  })
  .meta({ id: 'Session', description: 'An active session of an operator' });
export type Session = z.input<typeof session>;

/** A company of the operator, as part of its session. */
export const sessionMembership = z
  .object({
    companyId,
    companyName: z.string(),
    role,
    grants: grantList.meta({
      description: 'The folders whose notes the operator reaches as a viewer; null: all notes',
    }),
  })
  .meta({ id: 'SessionMembership', description: 'A company of the operator, with its role' });

/** Returns the signed-in operator. */
export const getSessionContract = routeContract({
  operationId: 'getSession',
  service: 'auth',
  method: 'get',
  path: '/api/auth/session',
  tag: 'Sessions',
  summary: 'Read the signed-in operator and its companies',
  description:
    'In local trusted mode this is the local board operator, an owner of every company. ' +
    '`memberships` has the first 200 by name, those with `grants` last; `GET /api/companies` lists all.',
  responses: {
    200: {
      description: 'The operator and its companies',
      schema: z
        .object({
          mode: deploymentMode,
          operator: signedInOperator,
          memberships: z.array(sessionMembership),
        })
        .meta({ id: 'CurrentSession' }),
    },
  },
  errors: [],
  access: byOneself,
  duringEnrolment: true,
});

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
  access: byOneself,
  duringEnrolment: true,
});

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
  access: byOneself,
});

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
  access: byOneself,
});
