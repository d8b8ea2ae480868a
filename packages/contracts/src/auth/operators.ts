import { z } from 'zod';
import { byAdministrators } from '../access.ts';
import { pageOf, pageQuery, personQuery, timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';

/** An operator as it sees itself. */
export const signedInOperator = z
  .object({ id: operatorId, email: z.string(), name: z.string(), isAdmin: z.boolean() })
  .meta({ id: 'SignedInOperator', description: 'The operator of the session' });
export type SignedInOperator = z.input<typeof signedInOperator>;

/** An account as administrators see it. Operators are global; companies have them as members. */
export const operator = z
  .object({
    id: operatorId,
    email: z.string(),
    emailVerified: z.boolean().meta({
      description:
        'Whether the provider, or who runs the instance, confirmed that the email is of this person. ' +
        'False for an account of an invite: its sender may have accepted it',
    }),
    name: z.string(),
    isAdmin: z.boolean().meta({ description: 'An instance administrator; implies no membership' }),
    disabled: z.boolean(),
    createdAt: timestamp,
    lastSignInAt: timestamp.nullable(),
    handoverExpiresAt: timestamp.nullable().meta({
      description: 'The end of a handover that nobody has taken; null: there is none',
    }),
  })
  .meta({ id: 'Operator', description: 'The account of a human operator' });
export type Operator = z.input<typeof operator>;

/** Lists the operators of the instance, for administrators. */
export const listOperatorsContract = routeContract({
  operationId: 'listOperators',
  service: 'auth',
  method: 'get',
  path: '/api/auth/operators',
  tag: 'Operators',
  summary: 'List all operators',
  description: 'Ordered by email, including disabled operators.',
  query: z.object({ ...pageQuery, ...personQuery }),
  responses: { 200: { description: 'A page of operators', schema: pageOf(operator) } },
  errors: [],
  access: byAdministrators,
});

/** Disables, enables and promotes operators. */
export const updateOperatorContract = routeContract({
  operationId: 'updateOperator',
  service: 'auth',
  method: 'patch',
  path: '/api/auth/operators/{operatorId}',
  tag: 'Operators',
  summary: 'Disable or enable an operator, or change its administrator flag',
  description:
    'Absent fields keep their value. A disabled operator cannot sign in, and its sessions end ' +
    'within a second. The last administrator who can sign in remains one: 409 `last_administrator`, ' +
    'even with concurrent changes. Making an administrator, or enabling one, needs a sign-in of the ' +
    'last 15 minutes.',
  params: z.object({ operatorId }),
  body: z.strictObject({ disabled: z.boolean().optional(), isAdmin: z.boolean().optional() }),
  responses: { 200: { description: 'The operator', schema: operator } },
  errors: ['not_found', 'last_administrator', 'reauthentication_required'],
  access: byAdministrators,
});
