import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { newPassword, passwordText } from './password.ts';

/** Changes the caller's own password. */
export const changePasswordContract = routeContract({
  operationId: 'changePassword',
  service: 'auth',
  method: 'put',
  path: '/api/auth/password',
  tag: 'Sessions',
  summary: 'Change your password',
  description:
    'Needs a sign-in of the last 15 minutes. Ends every other session and continues this one, within ' +
    'its limits and as it was signed in, with a new cookie. 401, with nothing changed, if this session ends or the password changes before the commit. A wrong current password is ' +
    '401 `invalid_credentials` and counts as a failed sign-in. The local board operator has no ' +
    'password: 409.',
  body: z.strictObject({ currentPassword: passwordText, newPassword }),
  responses: {
    204: {
      description: 'Changed',
      headers: { 'Set-Cookie': { description: 'The new cookie of this session' } },
    },
  },
  errors: [
    'reauthentication_required',
    'invalid_credentials',
    'weak_password',
    'login_throttled',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: { kind: 'caller', agents: false },
});
