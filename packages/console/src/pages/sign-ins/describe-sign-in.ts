import type { Schema } from '@commonplace/client';

type SignIn = Schema<'SignIn'>;

/** The outcomes of sign-ins, in the order in which they are offered. */
export const outcomes = ['success', 'failure'] as const satisfies readonly SignIn['outcome'][];

const methodNames: Readonly<Record<SignIn['method'], string>> = {
  password: 'Password',
  totp: 'Authenticator app',
  recovery_code: 'Recovery code',
  passkey: 'Passkey',
  oidc: 'Single sign-on',
  invite: 'Invite',
  setup: 'First set-up',
  handover: 'Handover link',
};

/** The methods of signing in, in the order in which they are offered. */
export const methods = Object.keys(methodNames) as readonly SignIn['method'][];

/** The name of a method, for people. */
export const describeMethod = (method: SignIn['method']): string => methodNames[method];
