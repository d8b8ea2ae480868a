import { z } from 'zod';
import { listOf } from './fields.ts';
import { isLoopback } from './is-loopback.ts';

/** https, or http on this machine. The specification allows neither query nor fragment. */
const issuerUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https:// URL' })
  .refine((text) => {
    const url = URL.parse(text);
    const isSafe = url?.protocol === 'https:' || isLoopback(url?.hostname ?? '');
    return isSafe && !/[?#]/.test(text);
  }, 'must be an https:// URL without query and fragment (http:// only on loopback)');

const scopeList = z
  .string()
  .max(1024)
  .refine((text) => text.split(' ').includes('openid'), 'must contain the scope openid');

const domain = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/,
    'must be domains such as example.org, separated by commas',
  );

/** How operators sign in, beside what is in the database. */
export const signInFields = {
  OIDC_ISSUER: issuerUrl.optional(),
  OIDC_CLIENT_ID: z.string().min(1).max(512).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).max(4096).optional(),
  OIDC_NAME: z.string().min(1).max(60).default('Single sign-on'),
  OIDC_SCOPES: scopeList.default('openid email profile'),
  OIDC_ALLOWED_DOMAINS: listOf(domain).default([]),
  LOCAL_LOGIN: z.enum(['on', 'off'], 'must be on or off').default('on'),
};

type SignInSettings = {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly LOCAL_LOGIN: 'on' | 'off';
};

/** Says what is wrong with settings that are valid one by one. */
export const signInProblems = (
  env: SignInSettings,
): readonly { readonly path: string; readonly message: string }[] => [
  ...((env.OIDC_ISSUER === undefined) === (env.OIDC_CLIENT_ID === undefined)
    ? []
    : [{ path: 'OIDC_CLIENT_ID', message: 'and OIDC_ISSUER go together' }]),
  ...(env.LOCAL_LOGIN === 'off' && env.OIDC_ISSUER === undefined
    ? [{ path: 'LOCAL_LOGIN', message: 'can be off only with OIDC_ISSUER' }]
    : []),
];
