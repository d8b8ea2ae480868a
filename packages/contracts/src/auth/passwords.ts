import { z } from 'zod';
import { byOneself } from '../access.ts';
import { plainText } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { authenticationResponse } from './passkeys.ts';
import { recoveryCode, totpCode } from './second-factor.ts';

/** Bounds of a new password, in characters (code points) after NFKC normalisation. */
export const passwordLengthMin = 15;
export const passwordLengthMax = 128;

/** A password for signing in. Only its length is limited. */
export const passwordText = plainText(1, 1024).meta({ format: 'password' });

/**
 * A new password. Its strength is checked after parsing, so that a weak one is 422 `weak_password`
 * with an explanation instead of a generic 400.
 */
export const newPassword = plainText(1, 1024).meta({
  format: 'password',
  description:
    '15 to 128 characters after NFKC normalisation; common passwords, repetitions and sequences are rejected (422 `weak_password`)',
});

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
  access: byOneself,
});

/** Proves again who the operator of a session is. */
export const reauthenticateContract = routeContract({
  operationId: 'reauthenticate',
  service: 'auth',
  method: 'post',
  path: '/api/auth/reauthenticate',
  tag: 'Sessions',
  summary: 'Confirm that it is you',
  description:
    'For changes that respond with 403 `reauthentication_required`: making an owner or administrator, ' +
    'changing your password, and creating the first key with all scopes of a company. They need a ' +
    'sign-in of the last 15 minutes; this counts as one. With an authenticator app the password alone is ' +
    '401 `second_factor_required`: send it again with a `code` or `recoveryCode`. A `passkey` is ' +
    'the response to the options of `POST /api/auth/login/passkey/options`. The session gets a new cookie, ' +
    'and the former one ends. Failures count as failed sign-ins. The ' +
    'local board operator never needs it: 409.',
  body: z
    .strictObject({
      password: passwordText.optional(),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
      passkey: authenticationResponse.optional(),
    })
    .refine(
      ({ password, code, recoveryCode: other, passkey }) =>
        (password === undefined) !== (passkey === undefined) &&
        (password !== undefined || (code === undefined && other === undefined)) &&
        (code === undefined || other === undefined),
      { path: ['password'], message: 'send a password, with a code if needed, or a passkey' },
    ),
  responses: {
    204: {
      description: 'Confirmed',
      headers: { 'Set-Cookie': { description: 'The new cookie of the session' } },
    },
  },
  errors: [
    'session_expired',
    'invalid_credentials',
    'second_factor_required',
    'invalid_code',
    'invalid_passkey',
    'challenge_expired',
    'passkeys_unavailable',
    'login_throttled',
    'local_login_disabled',
    'local_trusted',
    'busy',
  ],
  access: byOneself,
  duringEnrolment: true,
});
