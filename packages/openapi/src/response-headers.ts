import { scopes, type HeaderContract } from '@commonplace/contracts';
import type { oas31 } from 'zod-openapi';

type Header = oas31.HeaderObject;
type Headers = Readonly<Record<string, Header | oas31.ReferenceObject>>;

const text = (pattern?: string): oas31.SchemaObject => ({
  type: 'string',
  ...(pattern === undefined ? {} : { pattern }),
});

/** The form of a header that a route declares, by its name; every other one is any text. */
const schemas: Readonly<Record<string, oas31.SchemaObject>> = {
  ETag: text('^(?:W/)?"[^"]*"$'),
  Location: { type: 'string', format: 'uri-reference' },
  'Retry-After': { type: 'integer', minimum: 1 },
};

const always = { required: true } as const;

const invalidToken = 'error="invalid_token"';
const ofResource = 'resource_metadata="[^" ]+", scope="[a-z: ]+"';

/** Headers of many responses: they stand in `components` once, and responses refer to them. */
export const sharedHeaders = {
  RequestId: {
    ...always,
    description: 'The id of this request, also in every log line about it',
    schema: { type: 'string', format: 'uuid' },
  },
  NoStore: { ...always, description: 'Nobody may keep it', schema: { const: 'no-store' } },
  PrivateNoStore: {
    ...always,
    description: 'Nobody may keep it',
    schema: { const: 'private, no-store' },
  },
  RetryAfter: {
    ...always,
    description: 'Seconds to wait before the next attempt (RFC 9110 section 10.2.3)',
    schema: { type: 'integer', minimum: 1 },
  },
  Challenge: {
    ...always,
    description:
      'RFC 6750 section 3; `error="invalid_token"` where a bearer was presented. For access tokens of OAuth also the ' +
      'metadata of the resource (RFC 9728) and the scopes to request',
    schema: text(`^Bearer(?: ${invalidToken})?$|^Bearer (?:${invalidToken}, )?${ofResource}$`),
  },
  ScopeChallenge: {
    description: 'RFC 6750 section 3.1; sent with `insufficient_scope`',
    schema: {
      enum: scopes.map((scope) => `Bearer error="insufficient_scope", scope="${scope}"`),
    },
  },
  Session: {
    description: 'Renews the session cookie where a session began before the request failed',
    schema: text(),
  },
  RateLimit: {
    description:
      'What is left: `r` requests, and the seconds `t` until there is one again (draft-ietf-httpapi-ratelimit-headers). Absent where the credential is not valid, or where the rate is not limited',
    schema: text('^"credential";r=\\d+;t=\\d+$'),
  },
  RateLimitPolicy: {
    description: 'The limit of a credential: `q` requests in `w` seconds; sent with `RateLimit`',
    schema: text('^"credential";q=\\d+;w=\\d+$'),
  },
} as const satisfies Readonly<Record<string, Header>>;

const refer = (name: keyof typeof sharedHeaders): oas31.ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

const headerOf = (name: string, { description, isOptional, value }: HeaderContract): Header => ({
  ...(isOptional ? {} : always),
  description,
  schema: value === undefined ? (schemas[name] ?? text()) : { const: value },
});

const requestId = { 'X-Request-Id': refer('RequestId') };
const rate = { RateLimit: refer('RateLimit'), 'RateLimit-Policy': refer('RateLimitPolicy') };

type ForWhom = {
  /** The route takes a credential, whose rate is limited. */
  readonly isLimited: boolean;
  /** The route begins or ends a session. */
  readonly setsCookie?: boolean;
  /** The route requires a scope of agents. */
  readonly needsScope?: boolean;
};

/** The headers of a success: of every one, of every one with a credential, and its own. */
export const successHeaders = (
  own: Readonly<Record<string, HeaderContract>> = {},
  { isLimited }: ForWhom,
): Headers => ({
  ...requestId,
  'Cache-Control': refer('PrivateNoStore'),
  ...(isLimited ? rate : {}),
  ...Object.fromEntries(
    Object.entries(own).map(([name, declared]) => [name, headerOf(name, declared)]),
  ),
});

/** The headers of a problem follow from its status. */
export const problemHeaders = (
  status: number,
  { isLimited, setsCookie = false, needsScope = false }: ForWhom,
): Headers => ({
  ...requestId,
  'Cache-Control': refer('NoStore'),
  ...(isLimited ? rate : {}),
  ...(status === 401 ? { 'WWW-Authenticate': refer('Challenge') } : {}),
  ...(status === 403 && needsScope ? { 'WWW-Authenticate': refer('ScopeChallenge') } : {}),
  ...(setsCookie ? { 'Set-Cookie': refer('Session') } : {}),
  ...(status === 429 || status === 503 ? { 'Retry-After': refer('RetryAfter') } : {}),
});

/**
 * Headers of HTTP itself and of browsers, which any response may carry. The description of the API names them;
 * to repeat them in every response would hide what matters there.
 */
export const commonHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);
