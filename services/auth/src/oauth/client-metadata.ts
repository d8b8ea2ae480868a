/** The redirect URIs a client may have. */
const redirectUrisMax = 8;
const redirectUriLengthMax = 1_024;
/** Connections keep the host. A name of DNS has 253 characters. */
const hostLengthMax = 255;

/** The names of this machine: any program on it can listen there. */
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

export const isLoopbackHost = (host: string): boolean => loopbackHosts.has(host);

/**
 * Why an address cannot be a redirect URI; null if it can. The library takes http for web clients and schemes of apps,
 * which any program may claim.
 */
const redirectUriFault = (uri: unknown, allowsRemote: boolean): string | null => {
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
  if (isLoopback) {
    return null;
  }
  if (!allowsRemote) {
    return 'in local trusted mode redirect URIs are on http://127.0.0.1 or http://localhost';
  }
  return url.protocol === 'https:' && !isLoopbackHost(url.hostname)
    ? null
    : 'redirect URIs are https, or http on 127.0.0.1, [::1] or localhost';
};

const text = (value: unknown, lengthMax: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : undefined;

/**
 * What is taken of the metadata of a client that registers: it is public whatever it requests, and native if it listens on
 * this machine only, so that any port will do (RFC 8252).
 */
export const registrationOf = (
  given: Readonly<Record<string, unknown>>,
  allowsRemote: boolean,
): Readonly<Record<string, unknown>> | { readonly fault: string } => {
  const uris = given['redirect_uris'];
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > redirectUrisMax) {
    return { fault: `redirect_uris has 1 to ${redirectUrisMax} members` };
  }
  const fault = uris
    .map((uri) => redirectUriFault(uri, allowsRemote))
    .find((each) => each !== null);
  if (fault !== undefined) {
    return { fault };
  }
  const types = given['grant_types'];
  const takesRefresh = !Array.isArray(types) || types.includes('refresh_token');
  const clientName = text(given['client_name'], 200);
  return {
    redirect_uris: uris,
    grant_types: ['authorization_code', ...(takesRefresh ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: uris.every((uri) => isLoopbackHost(new URL(String(uri)).hostname))
      ? 'native'
      : 'web',
    ...(clientName === undefined ? {} : { client_name: clientName }),
  };
};
