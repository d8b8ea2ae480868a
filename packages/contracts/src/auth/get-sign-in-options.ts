import { z } from 'zod';
import { routeContract } from '../route-contract.ts';

/** Returns what is configured, for the sign-in page. */
export const getSignInOptionsContract = routeContract({
  operationId: 'getSignInOptions',
  service: 'auth',
  method: 'get',
  path: '/api/auth/sign-in-options',
  tag: 'Sessions',
  summary: 'Read how operators of this instance sign in',
  description: 'The same for everybody; it says nothing about accounts.',
  responses: {
    200: {
      description: 'What is configured',
      schema: z
        .object({
          localLogin: z.boolean().meta({ description: 'E-mail and password are accepted' }),
          oidc: z
            .object({ name: z.string().meta({ description: 'The label of the button' }) })
            .nullable()
            .meta({ description: 'The provider of single sign-on; null: none' }),
        })
        .meta({ id: 'SignInOptions' }),
    },
  },
  errors: [],
  access: { kind: 'public', reason: 'the sign-in page reads it before anybody is signed in' },
});
