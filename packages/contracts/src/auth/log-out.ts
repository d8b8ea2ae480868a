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
    'Ends the session of this request and clears its cookie. It is refused on every replica within a second. In local trusted mode there is no session, and nothing happens.',
  responses: {
    204: {
      description: 'Signed out',
      headers: {
        'Set-Cookie': {
          description: 'Makes the browser forget the session cookie, where there is one',
          isOptional: true,
        },
      },
    },
  },
  errors: [],
  access: { kind: 'caller', agents: false },
});
