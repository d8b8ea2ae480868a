import { z } from 'zod';
import { deploymentMode, role } from '../caller-roles.ts';
import { companyId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operator.ts';

/** A company the operator belongs to, as the session shows it. */
export const sessionMembership = z
  .object({ companyId, companyName: z.string(), role })
  .meta({ id: 'SessionMembership', description: 'A company of the operator and its role there' });

/** Tells an operator who it is. */
export const getSessionContract = routeContract({
  operationId: 'getSession',
  service: 'auth',
  method: 'get',
  path: '/api/auth/session',
  tag: 'Sessions',
  summary: 'Read who is signed in, and its companies',
  description:
    'In local trusted mode the operator is the local board operator, an owner of every company. `memberships` holds the first 200 by name; the rest come through `GET /api/companies`.',
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
});
