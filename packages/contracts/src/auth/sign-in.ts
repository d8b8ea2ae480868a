import { z } from 'zod';
import { timestamp } from '../common.ts';
import { operatorId } from '../ids.ts';

/** How a session was signed in; by setup and by invite, an operator chooses a password. */
export const sessionMethod = z.enum(['password', 'oidc', 'passkey']);
export type SessionMethod = z.infer<typeof sessionMethod>;

/** How an operator signed in; `totp` and `recovery_code` come after the password. */
export const signInMethod = z.enum([
  'password',
  'setup',
  'invite',
  'oidc',
  'passkey',
  'totp',
  'recovery_code',
  'handover',
]);
export type SignInMethod = z.infer<typeof signInMethod>;

export const signInOutcome = z.enum(['success', 'failure']);
export type SignInOutcome = z.infer<typeof signInOutcome>;

/** Why a sign-in failed, where that is a sign of an attack. */
export const signInReason = z.enum(['passkey_counter']);
export type SignInReason = z.infer<typeof signInReason>;

/** An entry of the sign-in history. */
export const signIn = z
  .object({
    id: z.string().meta({ format: 'uuid' }),
    at: timestamp,
    operatorId: operatorId.nullable().meta({ description: 'Null if no account has the e-mail' }),
    email: z.string(),
    method: signInMethod,
    outcome: signInOutcome,
    reason: signInReason.nullable().meta({
      description:
        '`passkey_counter`: the counter of a passkey went back, so a copy of it may be in use',
    }),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: 'SignIn', description: 'A sign-in that succeeded or failed' });
export type SignIn = z.input<typeof signIn>;
