import { z } from 'zod';
import { byOneself } from '../access.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';

/** Recovery codes of an operator, each for one sign-in. */
export const recoveryCodesCount = 10;

/** The six digits that an authenticator app shows. Blanks between them are allowed. */
export const totpCode = z
  .string()
  .max(16)
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be six digits'))
  .meta({ description: 'Six digits of the authenticator app' });

/** A recovery code as printed. Case, blanks and dashes do not matter. */
export const recoveryCode = z
  .string()
  .max(64)
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[A-Za-z2-9]{16}$/, 'must be sixteen letters and digits'))
  .transform((text) => text.toLowerCase())
  .meta({ description: 'A recovery code that was not used before' });

const cookieHeader = {
  'Set-Cookie': {
    description: 'The session cookie: HttpOnly, SameSite=Strict; Secure under https',
  },
};

/** Completes a sign-in with a code. */
export const logInWithSecondFactorContract = routeContract({
  operationId: 'logInWithSecondFactor',
  service: 'auth',
  method: 'post',
  path: '/api/auth/login/second-factor',
  tag: 'Sessions',
  summary: 'Complete a sign-in with a code',
  description:
    'With the `challenge` of 401 `second_factor_required`, from the same address (IPv6: the same ' +
    '/64), within 5 minutes, and either a `code` or a `recoveryCode`. A code works once. Five wrong ' +
    'codes end the challenge; they are limited per account over all replicas, as passwords are, and ' +
    '30 failures a minute per address, whatever the challenge.',
  body: z
    .strictObject({
      challenge: z.string().min(1).max(128),
      code: totpCode.optional(),
      recoveryCode: recoveryCode.optional(),
    })
    .refine(({ code, recoveryCode: other }) => (code === undefined) !== (other === undefined), {
      path: ['code'],
      message: 'send either code or recoveryCode',
    }),
  responses: {
    200: {
      description: 'Signed in',
      schema: z.object({ operator: signedInOperator }),
      headers: cookieHeader,
    },
  },
  errors: [
    'challenge_expired',
    'invalid_code',
    'invalid_credentials',
    'login_throttled',
    'local_login_disabled',
    'local_trusted',
  ],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
});

/** What an operator signs in with beside a password. */
export const factors = z
  .object({
    totp: z
      .object({ confirmedAt: timestamp, recoveryCodesLeft: z.int() })
      .nullable()
      .meta({ description: 'Null without an authenticator app' }),
    passkeys: z.int(),
    hasPassword: z.boolean().meta({
      description: 'Whether you sign in with a password; accounts of single sign-on have none',
    }),
    isRequired: z.boolean().meta({ description: 'Whether this instance requires one' }),
    authenticatedAt: timestamp.nullable().meta({
      description:
        'When you last proved who you are in this session; null if the provider does not say',
    }),
  })
  .meta({ id: 'Factors', description: 'The factors of an operator' });
export type Factors = z.input<typeof factors>;

/** Reads the factors of the caller. */
export const getFactorsContract = routeContract({
  operationId: 'getFactors',
  service: 'auth',
  method: 'get',
  path: '/api/auth/factors',
  tag: 'Second factor',
  summary: 'Read your second factor',
  responses: {
    200: {
      description: 'What is set up',
      schema: factors,
    },
  },
  errors: [],
  access: byOneself,
  duringEnrolment: true,
});

/** Begins the enrolment of an authenticator app. */
export const createTotpContract = routeContract({
  operationId: 'createTotp',
  service: 'auth',
  method: 'post',
  path: '/api/auth/totp',
  tag: 'Second factor',
  summary: 'Begin to set up an authenticator app',
  description:
    'Needs a sign-in of the last 15 minutes. Nothing changes until a code is confirmed; calling it ' +
    'again replaces the secret. 409 `second_factor_exists` if one is confirmed: delete it first.',
  responses: {
    200: {
      description: 'The secret, for the app',
      schema: z.object({
        secret: z.string().meta({ description: 'Base32' }),
        uri: z.string().meta({ description: '`otpauth://` URI' }),
        qr: z.string().meta({ description: 'The URI as a QR code, an SVG document' }),
      }),
      headers: { 'Cache-Control': { description: '`no-store`', value: 'no-store' } },
    },
  },
  errors: [
    'reauthentication_required',
    'second_factor_exists',
    'second_factor_not_configured',
    'local_trusted',
  ],
  access: byOneself,
  duringEnrolment: true,
});

/** Completes the enrolment of an authenticator app. */
export const confirmTotpContract = routeContract({
  operationId: 'confirmTotp',
  service: 'auth',
  method: 'post',
  path: '/api/auth/totp/confirm',
  tag: 'Second factor',
  summary: 'Confirm the authenticator app with a code',
  description:
    'Needs a sign-in of the last 15 minutes. From now on signing in needs a code. Every other ' +
    'session ends; where a second factor is required, this one gets a new cookie. The recovery codes are ' +
    'returned only once.',
  body: z.strictObject({ code: totpCode }),
  responses: {
    200: {
      description: 'Confirmed',
      schema: z.object({ recoveryCodes: z.array(z.string()) }),
      headers: {
        'Set-Cookie': { description: 'The new cookie of the session', isOptional: true },
        'Cache-Control': { description: '`no-store`', value: 'no-store' },
      },
    },
  },
  errors: [
    'reauthentication_required',
    'session_expired',
    'invalid_code',
    'login_throttled',
    'not_found',
    'second_factor_exists',
    'local_trusted',
  ],
  access: byOneself,
  duringEnrolment: true,
});

/** Removes the authenticator app. */
export const deleteTotpContract = routeContract({
  operationId: 'deleteTotp',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/totp',
  tag: 'Second factor',
  summary: 'Remove your authenticator app',
  description:
    'Needs a sign-in of the last 15 minutes. Removes the recovery codes, too, and ends every other ' +
    'session.',
  responses: { 204: { description: 'Removed' } },
  errors: ['reauthentication_required', 'local_trusted'],
  access: byOneself,
});
