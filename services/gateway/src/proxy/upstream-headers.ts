import type { IncomingHttpHeaders } from 'node:http';
import type { RouteContract } from '@commonplace/contracts';
import {
  attemptCookiesMax,
  deviceCookieName,
  clientAddressHeader,
  companyHeader,
  identityHeader,
  readAttemptCookies,
  readConsentCookies,
  requestIdHeader,
} from '@commonplace/identity';

/** What the gateway adds to the forwarded headers. */
export type TrustedHeaders = {
  readonly requestId: string;
  readonly address: string;
  /**
   * Of the request to the service, or where the gateway does not trace the ids and the sampled flag that the client
   * sent. Undefined without any.
   */
  readonly traceparent: string | undefined;
  /** Null on public routes. */
  readonly identity: string | null;
  /** The company of the identity; null when it has none. */
  readonly companyId: string | null;
  /** The session cookie, and those of sign-ins through a provider, for the auth service. */
  readonly cookie: string | null;
  /** The length of a complete body; null to keep the framing of the client. */
  readonly bodyBytes: number | null;
};

/** The client's headers that a service gets. */
const forwardedHeaders = [
  'accept',
  'accept-language',
  'content-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'prefer',
  'user-agent',
] as const;

/** Arguments of a tool that an MCP client repeats as headers: the service compares them. */
const mcpArgumentPrefix = 'mcp-param-';

/** Never dropped, or the service would read another body than the gateway. */
const framingHeaders = ['content-length', 'transfer-encoding'] as const;

/**
 * Builds the headers for a service: the client's by an allow-list, then the gateway's. They replace
 * `req.headers` before the proxy reads them. The proxy's own hook for headers does not run with
 * `Expect: 100-continue`, and a client's `X-Company-Id` then reached the service.
 */
export const buildUpstreamHeaders = (
  given: IncomingHttpHeaders,
  trusted: TrustedHeaders,
): IncomingHttpHeaders => {
  const headers: IncomingHttpHeaders = {};
  const isHopByHop = namedByConnection(given.connection);
  for (const name of forwardedHeaders) {
    const value = given[name];
    if (value !== undefined && !isHopByHop(name)) {
      headers[name] = value as string;
    }
  }
  if (given['mcp-method'] !== undefined) {
    for (const name of Object.keys(given)) {
      if (name.startsWith(mcpArgumentPrefix) && !isHopByHop(name)) {
        headers[name] = given[name];
      }
    }
  }
  if (trusted.bodyBytes !== null) {
    headers['content-length'] = String(trusted.bodyBytes);
  } else {
    for (const name of framingHeaders) {
      const value = given[name];
      if (value !== undefined) {
        headers[name] = value;
      }
    }
  }
  if (trusted.traceparent !== undefined) {
    headers['traceparent'] = trusted.traceparent;
  }
  headers[requestIdHeader] = trusted.requestId;
  headers[clientAddressHeader] = trusted.address;
  if (trusted.identity !== null) {
    headers[identityHeader] = trusted.identity;
  }
  if (trusted.companyId !== null) {
    headers[companyHeader] = trusted.companyId;
  }
  if (trusted.cookie !== null) {
    headers.cookie = trusted.cookie;
  }
  return headers;
};

/** Returns whether `Connection` names a header, which is then not forwarded (RFC 9110 section 7.6.1). */
const namedByConnection = (connection: string | undefined): ((name: string) => boolean) => {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) {
    return () => false;
  }
  const names = new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
  return (name) => names.has(name);
};

type CookieOptions = {
  /** Null where cookies are not credentials. */
  readonly sessionCookieName: string | null;
  readonly isHttps: boolean;
};

/**
 * The cookies that the auth service gets: that of the session, that of a known browser, and where the contract says so those
 * of sign-ins through a provider, eight at most, and those of a consent. Null without any. Routes for pages of any origin
 * get none.
 */
export const findCookies = (
  header: string | undefined,
  { sessionCookieName, isHttps }: CookieOptions,
  contract: Pick<RouteContract, 'attemptCookies' | 'consentCookies' | 'anyOrigin'>,
): string | null => {
  if (header === undefined || contract.anyOrigin === true) {
    return null;
  }
  const pairs = [
    ...(sessionCookieName === null
      ? []
      : findAccountCookies(header, { sessionCookieName, isHttps }, contract)),
    ...(contract.consentCookies ? readConsentCookies(header, isHttps) : []),
  ];
  return pairs.length === 0 ? null : pairs.join('; ');
};

const findAccountCookies = (
  header: string,
  { sessionCookieName, isHttps }: CookieOptions & { readonly sessionCookieName: string },
  { attemptCookies }: Pick<RouteContract, 'attemptCookies'>,
): string[] => {
  const session = findCookie(header, sessionCookieName);
  const device = findCookie(header, deviceCookieName(isHttps));
  const attempts = attemptCookies
    ? [...readAttemptCookies(header, isHttps)].slice(-2 * attemptCookiesMax)
    : [];
  return [
    ...(session === null ? [] : [session]),
    ...(device === null ? [] : [device]),
    ...attempts.map((pair) => pair.join('=')),
  ];
};

/**
 * The first cookie with this name, as `name=value` in its original encoding; null without one. As in
 * `readSessionId` of packages/identity, a name with a space behind it is another one.
 */
const findCookie = (header: string | undefined, name: string): string | null =>
  (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`)) ?? null;
