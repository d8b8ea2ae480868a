import { failure, ok, skipped, warning, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

const check = 'single sign-on';
const timeoutMs = 5_000;
/** Tokens of a few minutes survive it. */
const skewSecondsMax = 20;

/** By mode. The doctor may have an environment without it: the processes may be started elsewhere, or have the default. */
const whoSignsIn: Readonly<Record<string, string>> = {
  authenticated: ': operators sign in with passwords',
  local_trusted: ': in local mode nobody signs in',
};

/** Checks what the provider of single sign-on publishes, our redirect URI there, and the clocks. */
export const checkSignIn = async ({ env, url }: Deployment): Promise<Finding[]> => {
  const issuer = env['OIDC_ISSUER'];
  if (!issuer) {
    return [
      skipped(check, `OIDC_ISSUER is not set${whoSignsIn[env['DEPLOYMENT_MODE'] ?? ''] ?? ''}`),
    ];
  }
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await get(address);
  const found = response?.ok ? await documentOf(response) : null;
  if (!response || !found) {
    return [
      failure(
        check,
        `${address} ${response ? `is no discovery document (${response.status})` : 'does not respond within 5 s'}`,
        'Compare OIDC_ISSUER with the provider; the auth service must reach it.',
      ),
    ];
  }
  if (found.issuer !== issuer) {
    return [
      failure(
        check,
        `the provider calls itself ${found.issuer}`,
        `Set OIDC_ISSUER to exactly that.`,
      ),
    ];
  }
  const callback = `${env['PUBLIC_URL'] ?? url}/api/auth/oidc/callback`;
  return [
    ok(check, `discovered ${issuer}`),
    ...checkSkew(response),
    await checkRedirectUri(found.authorizationEndpoint, callback, env['OIDC_CLIENT_ID'] ?? ''),
  ];
};

type Discovered = { readonly issuer: string; readonly authorizationEndpoint: string };

const documentOf = async (response: Response): Promise<Discovered | null> => {
  const document = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const issuer = document?.['issuer'];
  const authorizationEndpoint = document?.['authorization_endpoint'];
  return typeof issuer === 'string' &&
    typeof authorizationEndpoint === 'string' &&
    URL.canParse(authorizationEndpoint)
    ? { issuer, authorizationEndpoint }
    : null;
};

const checkSkew = (response: Response): Finding[] => {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) {
    return [];
  }
  const seconds = Math.round(Math.abs(Date.now() - date) / 1000);
  return [
    seconds > skewSecondsMax
      ? failure(
          check,
          `the clocks of the provider and of this machine differ by ${seconds} s`,
          'Run NTP on this machine.',
        )
      : ok(check, 'the clock agrees with the provider'),
  ];
};

/**
 * Requests a sign-in without a page. A provider that knows the redirect URI redirects there with an
 * error; one that does not shows a page of its own.
 */
const checkRedirectUri = async (
  endpoint: string,
  callback: string,
  clientId: string,
): Promise<Finding> => {
  const request = new URL(endpoint);
  const parameters = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    state: 'doctor',
    nonce: 'doctor',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) {
    request.searchParams.set(name, value);
  }
  const location = (await get(request.toString()))?.headers.get('location') ?? '';
  return location.startsWith(callback)
    ? ok(check, `the provider redirects to ${callback}`)
    : warning(
        check,
        `the provider may not know the redirect URI ${callback}`,
        'Register it for the client, and compare OIDC_CLIENT_ID.',
      );
};

const get = (url: string): Promise<Response | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
