import { z } from 'zod';
import { consentUid } from './consent.ts';
import { routeContract, type RouteContract } from '../route-contract.ts';

/** The path of the resource that connections reach, and the addresses of its authorization server. */
export const connectPath = '/connect';
export const connectResourcePath = '/connect/mcp';

const isPublic = {
  kind: 'public',
  reason: 'OAuth: the library of the authorization server checks client, code and token',
} as const;

/** Responses that the library of the authorization server writes, errors of OAuth among them. */
const written = (...statuses: readonly number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: 'As OAuth 2.1 describes it' }]),
  );

const shared = { service: 'auth', tag: 'Connections', errors: [] } as const;

/** Begins an authorization: leads to the consent page. Unknown parameters are ignored (RFC 6749 section 3.1). */
export const authorizeContract = routeContract({
  ...shared,
  operationId: 'authorize',
  method: 'get',
  path: '/connect/authorize',
  summary: 'Authorization endpoint',
  query: z.looseObject({}),
  responses: written(200, 303, 400, 401, 403),
  access: isPublic,
  consentCookies: true,
});

/** Finishes an authorization after the consent. */
export const resumeAuthorizationContract = routeContract({
  ...shared,
  operationId: 'resumeAuthorization',
  method: 'get',
  path: '/connect/authorize/{uid}',
  summary: 'Return to the client',
  params: z.object({ uid: consentUid }),
  query: z.looseObject({}),
  responses: written(200, 303, 400, 401, 403),
  access: isPublic,
  consentCookies: true,
});

const form = {
  body: z.looseObject({}),
  bodyType: 'form',
  bodyBytesMax: 32 * 1024,
  errorShape: 'oauth',
} as const;

/** Exchanges codes and refresh tokens. */
export const tokenContract = routeContract({
  ...shared,
  ...form,
  operationId: 'exchangeToken',
  method: 'post',
  path: '/connect/token',
  summary: 'Token endpoint',
  responses: written(200, 400, 401, 403),
  access: isPublic,
  anyOrigin: true,
});

/** Revokes a token (RFC 7009). */
export const revokeTokenContract = routeContract({
  ...shared,
  ...form,
  operationId: 'revokeToken',
  method: 'post',
  path: '/connect/revoke',
  summary: 'Revocation endpoint',
  responses: written(200, 400, 401, 403),
  access: isPublic,
  anyOrigin: true,
});

/** Registers a client (RFC 7591). */
export const registerClientContract = routeContract({
  ...shared,
  operationId: 'registerClient',
  method: 'post',
  path: '/connect/register',
  summary: 'Registration endpoint',
  body: z.looseObject({}),
  bodyBytesMax: 16 * 1024,
  errorShape: 'client_registration',
  responses: written(201, 400, 401, 403),
  access: isPublic,
  anyOrigin: true,
});

const document = <const Path extends string>(operationId: string, path: Path) =>
  routeContract({
    ...shared,
    operationId,
    method: 'get',
    path,
    summary: 'Metadata',
    query: z.looseObject({}),
    responses: written(200),
    access: { kind: 'public', reason: 'clients read it before they have any credential' },
    anyOrigin: true,
  });

/** The public keys of the server. */
export const connectKeysContract = document('getConnectKeys', '/connect/jwks');

/** The metadata of the server (RFC 8414), identical in the four places where clients look for it. */
export const serverMetadataContracts = [
  document('getServerMetadata', '/.well-known/oauth-authorization-server/connect'),
  document('getServerMetadataAsOpenId', '/.well-known/openid-configuration/connect'),
  document('getServerMetadataBelow', '/connect/.well-known/oauth-authorization-server'),
  document('getServerMetadataAsOpenIdBelow', '/connect/.well-known/openid-configuration'),
] as const;

/** The metadata of the resource (RFC 9728). */
export const resourceMetadataContract = document(
  'getResourceMetadata',
  '/.well-known/oauth-protected-resource/connect/mcp',
);

/** The metadata of `/mcp`, which is a resource where the instance says so. */
export const mcpResourceMetadataContract = document(
  'getMcpResourceMetadata',
  '/.well-known/oauth-protected-resource/mcp',
);

/** The routes of the authorization server. Their errors are those of OAuth, so they are not part of the API's list. */
export const protocolRoutes: readonly RouteContract[] = [
  authorizeContract,
  resumeAuthorizationContract,
  tokenContract,
  revokeTokenContract,
  registerClientContract,
  connectKeysContract,
  ...serverMetadataContracts,
  resourceMetadataContract,
  mcpResourceMetadataContract,
];
