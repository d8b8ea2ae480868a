import { z } from 'zod';
import { routeContract } from '../route-contract.ts';
import { authenticationResponse } from './passkeys.ts';
import { passwordText } from './password.ts';
import { recoveryCode, totpCode } from './second-factor.ts';

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
  access: { kind: 'caller', agents: false },
  duringEnrolment: true,
});
