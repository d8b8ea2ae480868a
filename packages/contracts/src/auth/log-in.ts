import { z } from 'zod';
import { email } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operator.ts';
import { passwordText } from './password.ts';

/** Starts a session. The only response that sets a session cookie for an existing account. */
export const logInContract = routeContract({
  operationId: 'logIn',
  service: 'auth',
  method: 'post',
  path: '/api/auth/login',
  tag: 'Sessions',
  summary: 'Sign in with e-mail and password',
  description:
    'Starts a session and sets its cookie. An unknown e-mail, a disabled account and a wrong ' +
    'password get the same response in the same time. Failed attempts are limited: 5 for one ' +
    'account from one address, then a delay that doubles up to 15 minutes; 30 a minute from one ' +
    'address (IPv6: one /64); 100 an hour for one account. They are counted before the password is ' +
    'checked, over all replicas; a successful sign-in does not count. With ' +
    'an authenticator app, the right password is 401 `second_factor_required` with a `challenge`.',
  body: z.strictObject({ email, password: passwordText }),
  responses: {
    200: {
      description: 'Signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: {
        'Set-Cookie': {
          description: 'The session cookie: HttpOnly, SameSite=Strict; Secure under https',
        },
      },
    },
  },
  errors: [
    'invalid_credentials',
    'second_factor_required',
    'login_throttled',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
});
