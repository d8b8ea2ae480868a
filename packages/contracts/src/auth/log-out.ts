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
    'second. Does nothing in local trusted mode, which has no sessions.',
  responses: {
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
