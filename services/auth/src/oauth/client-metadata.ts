/** The redirect URIs a client may have. */
const redirectUrisMax = 8;
const redirectUriLengthMax = 1_024;
/** Connections keep the host. A name of DNS has 253 characters. */
const hostLengthMax = 255;

/** The names of this machine: any program on it can listen there. */
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isLoopbackHost = (host: string): boolean => loopbackHosts.has(host);

/**
 * Redirect URIs with a scheme that an app claims on its machine (RFC 8252 section 7.1), of hosts that register no other
 * or register it among others. They are exact: any program could claim any scheme, so an operator is warned as for loopback.
 */
const appRedirectUris: ReadonlySet<string> = new Set([
  'cursor://anysphere.cursor-mcp/oauth/callback',
]);

/** Whether a redirect URI leads to a program on the machine of the browser, whichever it is. */
export const isOnThisMachine = (uri: string): boolean =>
  appRedirectUris.has(uri) || isLoopbackHost(new URL(uri).hostname);

/**
 * Why an address cannot be a redirect URI; null if it can. The library takes http for web clients and any scheme of apps.
 */
const redirectUriFault = (uri: unknown): string | null => {
  const url = typeof uri === 'string' && uri.length <= redirectUriLengthMax ? URL.parse(uri) : null;
  if (!url) {
    return 'a redirect URI is not valid';
  }
  if (url.host.length > hostLengthMax) {
    return `the host of a redirect URI has at most ${hostLengthMax} characters`;
  }
  if (url.username !== '' || url.password !== '' || String(uri).includes('#')) {
    return 'a redirect URI has no user and no fragment';
  }
  const isLoopback = isLoopbackHost(url.hostname) && url.protocol === 'http:';
  if (isLoopback || appRedirectUris.has(String(uri))) {
    return null;
  }
  return url.protocol === 'https:' && !isLoopbackHost(url.hostname)
    ? null
    : 'redirect URIs are https, or http on 127.0.0.1, [::1] or localhost';
};

/** Halves of characters, which a database does not store, are replaced. */
const text = (value: unknown, lengthMax: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= lengthMax
    ? value.toWellFormed()
    : undefined;

/**
 * What is taken of the metadata of a client that registers: it is public whatever it requests, and native if it also listens
 * on the machine of the browser, so that any port will do there (RFC 8252). Its other addresses stay exact.
 */
export const registrationOf = (
  given: Readonly<Record<string, unknown>>,
  allowsRemote: boolean,
): Readonly<Record<string, unknown>> | { readonly fault: string } => {
  const uris = given['redirect_uris'];
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax) {
    return { fault: `redirect_uris has 1 to ${redirectUrisMax} members` };
  }
  const fault = uris.map(redirectUriFault).find((each) => each !== null);
  if (fault !== undefined) {
    return { fault };
  }
  // Hosts register all their addresses everywhere; on an instance without accounts those of this machine are taken.
  const taken = uris.map(String).filter((uri) => allowsRemote || isOnThisMachine(uri));
  if (taken.length === 0) {
    return {
      fault: 'in local trusted mode a redirect URI is on http://127.0.0.1 or http://localhost',
    };
  }
  const types = given['grant_types'];
  const takesRefresh = !Array.isArray(types) || types.includes('refresh_token');
  const clientName = text(given['client_name'], 200);
  return {
    redirect_uris: taken,
    grant_types: ['authorization_code', ...(takesRefresh ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: taken.some(isOnThisMachine) ? 'native' : 'web',
    ...(clientName === undefined ? {} : { client_name: clientName }),
  };
};
