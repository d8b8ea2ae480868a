import { z } from 'zod';
import { routeContract } from '../route-contract.ts';

/** Ends the session of the request. */
export const logOutContract = routeContract({
  operationId: 'logOut',
  service: 'auth',
  method: 'post',
  path: '/api/auth/logout',
  tag: 'Sessions',
  summary: 'Sign out',
  description:
    'Ends the session of this request and clears its cookie. Every replica rejects it within a ' +
    'second. After a sign-in through a provider that offers it, the response is 200 and says where ' +
    'to sign out there. Does nothing in local trusted mode, which has no sessions.',
  responses: {
    200: {
      description: 'Signed out here; the session at the provider ends where `endSessionUrl` leads',
      schema: z.object({
        endSessionUrl: z.url().meta({ description: 'Navigate there to sign out at the provider' }),
      }),
      headers: { 'Set-Cookie': { description: 'Clears the session cookie' } },
    },
    204: {
      description: 'Signed out',
      headers: {
        'Set-Cookie': {
          description: 'Clears the session cookie, if there is one',
          isOptional: true,
        },
      },
    },
  },
  errors: [],
  access: { kind: 'caller', agents: false },
  duringEnrolment: true,
});
