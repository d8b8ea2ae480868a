import { z } from 'zod';
import { deploymentMode, role } from '../caller-roles.ts';
import { grantList } from '../grants.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operator.ts';

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
  access: { kind: 'caller', agents: false },
  duringEnrolment: true,
});
