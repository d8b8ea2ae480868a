import { z } from 'zod';
import { byOneself } from '../access.ts';
import { lineOfText, plainText, timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { signedInOperator } from './operators.ts';

/** Passkeys of one operator. */
export const passkeysMax = 20;

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+=*$/, 'must be base64url');

const passkeyName = lineOfText(1, 100);
const passkeyId = z.uuid();

/** WebAuthn allows 1,023 bytes. */
export const credentialIdBytesMax = 1_023;
const credentialId = base64url(Math.ceil((credentialIdBytesMax * 4) / 3));

const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** `RegistrationResponseJSON` of WebAuthn. */
export const registrationResponse = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(32_768),
      transports: z.array(plainText(0, 32)).max(8).optional(),
    }),
  })
  .meta({ id: 'RegistrationResponse', description: '`RegistrationResponseJSON` of WebAuthn' });
export type RegistrationResponse = z.output<typeof registrationResponse>;

/** `AuthenticationResponseJSON` of WebAuthn. */
export const authenticationResponse = z
  .looseObject({
    ...credential,
    response: z.looseObject({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(8192),
      signature: base64url(8192),
      userHandle: base64url(128).optional(),
    }),
  })
  .meta({ id: 'AuthenticationResponse', description: '`AuthenticationResponseJSON` of WebAuthn' });
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

const optionsResponse = (description: string) => ({
  200: {
    description,
    schema: z.object({
      options: z.looseObject({ challenge: z.string() }).meta({
        id: description.includes('create') ? 'CreationOptions' : 'RequestOptions',
        description: 'Options in the JSON form of WebAuthn',
      }),
    }),
    headers: { 'Cache-Control': { description: '`no-store`', value: 'no-store' } },
  },
});

/** A passkey as its operator sees it. */
export const passkey = z
  .object({
    id: passkeyId,
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    isBackedUp: z.boolean().meta({ description: 'Whether it is synchronised between devices' }),
  })
  .meta({ id: 'Passkey', description: 'A passkey of an operator' });
export type Passkey = z.input<typeof passkey>;

const own = { access: byOneself } as const;
const ownDuringEnrolment = { ...own, duringEnrolment: true } as const;

/** Begins the registration of a passkey. */
export const createPasskeyOptionsContract = routeContract({
  operationId: 'createPasskeyOptions',
  service: 'auth',
  method: 'post',
  path: '/api/auth/passkeys/options',
  tag: 'Passkeys',
  summary: 'Begin to add a passkey',
  description: 'Needs a sign-in of the last 15 minutes. The challenge holds for 5 minutes, once.',
  responses: optionsResponse('For `navigator.credentials.create`'),
  errors: [
    'reauthentication_required',
    'passkey_limit',
    'passkeys_unavailable',
    'login_throttled',
    'local_trusted',
  ],
  ...ownDuringEnrolment,
});

/** Adds a passkey. */
export const createPasskeyContract = routeContract({
  operationId: 'createPasskey',
  service: 'auth',
  method: 'post',
  path: '/api/auth/passkeys',
  tag: 'Passkeys',
  summary: 'Add a passkey',
  description: 'Needs a sign-in of the last 15 minutes. At most 20 per operator.',
  body: z.strictObject({ name: passkeyName, response: registrationResponse }),
  responses: { 201: { description: 'Added', schema: passkey } },
  errors: [
    'reauthentication_required',
    'challenge_expired',
    'invalid_passkey',
    'passkey_limit',
    'passkeys_unavailable',
    'local_trusted',
  ],
  ...ownDuringEnrolment,
});

/** Lists the passkeys of the caller. */
export const listPasskeysContract = routeContract({
  operationId: 'listPasskeys',
  service: 'auth',
  method: 'get',
  path: '/api/auth/passkeys',
  tag: 'Passkeys',
  summary: 'List your passkeys',
  description: 'Oldest first; at most 20.',
  responses: {
    200: { description: 'The passkeys', schema: z.object({ items: z.array(passkey) }) },
  },
  errors: [],
  ...ownDuringEnrolment,
});

/** Renames a passkey. */
export const updatePasskeyContract = routeContract({
  operationId: 'updatePasskey',
  service: 'auth',
  method: 'patch',
  path: '/api/auth/passkeys/{passkeyId}',
  tag: 'Passkeys',
  summary: 'Rename a passkey',
  params: z.object({ passkeyId }),
  body: z.strictObject({ name: passkeyName }),
  responses: { 200: { description: 'The passkey', schema: passkey } },
  errors: ['not_found'],
  ...own,
});

/** Removes a passkey. */
export const deletePasskeyContract = routeContract({
  operationId: 'deletePasskey',
  service: 'auth',
  method: 'delete',
  path: '/api/auth/passkeys/{passkeyId}',
  tag: 'Passkeys',
  summary: 'Remove a passkey',
  description:
    'Needs a sign-in of the last 15 minutes. Other sessions that it started or confirmed end within a ' +
    'second; that of the request goes on as one without a second factor, unless another passkey ' +
    'confirmed it since. The last way to sign in remains: 409 `last_sign_in_method`.',
  params: z.object({ passkeyId }),
  responses: { 204: { description: 'Removed' } },
  errors: ['reauthentication_required', 'not_found', 'last_sign_in_method'],
  ...own,
});

/** Begins a sign-in with a passkey. */
export const logInWithPasskeyOptionsContract = routeContract({
  operationId: 'logInWithPasskeyOptions',
  service: 'auth',
  method: 'post',
  path: '/api/auth/login/passkey/options',
  tag: 'Passkeys',
  summary: 'Begin to sign in with a passkey',
  description:
    'The same for everybody: the passkey says who signs in. The challenge holds for 5 minutes, once, ' +
    'from the same address (IPv6: the same /64). 60 a minute from one address that do not end in a sign-in.',
  responses: optionsResponse('For `navigator.credentials.get`'),
  errors: ['passkeys_unavailable', 'login_throttled', 'local_trusted'],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
});

/** Signs in with a passkey. */
export const logInWithPasskeyContract = routeContract({
  operationId: 'logInWithPasskey',
  service: 'auth',
  method: 'post',
  path: '/api/auth/login/passkey',
  tag: 'Passkeys',
  summary: 'Sign in with a passkey',
  description:
    'A passkey is both factors: it verifies its user. An unknown passkey, one of a disabled account, ' +
    'and one whose counter went back get the same response. 30 failures a minute from one address; a browser ' +
    'that signed in before has a share of its own.',
  body: z.strictObject({ response: authenticationResponse }),
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
    'challenge_expired',
    'invalid_passkey',
    'invalid_credentials',
    'login_throttled',
    'passkeys_unavailable',
    'local_trusted',
  ],
  access: { kind: 'public', reason: 'a caller signing in has no credential yet' },
});
