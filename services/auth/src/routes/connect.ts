import {
  authorizeContract,
  connectKeysContract,
  mcpResourceMetadataContract,
  registerClientContract,
  resourceMetadataContract,
  resumeAuthorizationContract,
  revokeTokenContract,
  serverMetadataContracts,
  tokenContract,
} from '@commonplace/contracts/auth';
import { AppError, connectionScopes, type RouteContract } from '@commonplace/contracts/core';
import { defineRoute, type Route } from '@commonplace/http';
import { consumeBegun } from '../commands/consume-begun.ts';
import type { Deps, RawExchange } from '../deps.ts';
import type { LibraryRequest, LibraryResponse } from '../oauth/call-library.ts';
import { registrationOf } from '../oauth/client-metadata.ts';
import { holdRedirect } from '../oauth/hold-redirect.ts';
import { authorizationQuery, tokenForm } from '../oauth/normalize-request.ts';
import { clientOf } from '../sessions/client-of.ts';
import { queryOf } from './query-of.ts';

type ConnectDeps = Pick<Deps, 'connect'>;
type CountingDeps = ConnectDeps & Pick<Deps, 'db' | 'clock'>;

/** Any route of the protocol: the library's response is passed on as it is. */
type Protocol = Omit<RouteContract, 'access'> & {
  readonly access: { kind: 'public'; reason: string };
};

/** Passes a response of the library on. A status that the contract does not declare is a failure of the pipeline. */
const passedOn = (
  { status, headers, body }: LibraryResponse,
  more: Readonly<Record<string, string>> = {},
) => ({
  status,
  headers: more,
  stream: (res: RawExchange['res']): void => {
    for (const [name, value] of Object.entries(headers)) {
      if (!['content-length', 'cache-control'].includes(name)) {
        res.setHeader(name, value as string);
      }
    }
    res.setHeader('Content-Length', Buffer.byteLength(body));
    res.end(body);
  },
});

type ProtocolOptions = ConnectDeps & {
  /** What the browser gets of the library's response; by default all of it. */
  readonly present?: (response: LibraryResponse) => LibraryResponse;
};

const defineProtocolRoute = (
  contract: Protocol,
  requestOf: (request: {
    readonly raw: RawExchange;
    readonly params: Readonly<Record<string, unknown>>;
    readonly body: Readonly<Record<string, unknown>>;
  }) => Omit<LibraryRequest, 'requestId'> | Promise<Omit<LibraryRequest, 'requestId'>>,
  { connect, present = (response) => response }: ProtocolOptions,
): Route =>
  defineRoute(contract as RouteContract, async ({ raw, params, body, requestId }) => {
    const fields = body as Readonly<Record<string, unknown>>;
    const request = await requestOf({ raw, params, body: fields });
    const { address } = clientOf(raw.req);
    return passedOn(present(await connect.call({ ...request, requestId, address }))) as never;
  });

/** `GET /connect/authorize` */
const authorizeRoute = (deps: CountingDeps): Route =>
  defineProtocolRoute(
    authorizeContract,
    async ({ raw }) => {
      await consumeBegun(deps, 'authorization', clientOf(raw.req));
      return {
        method: 'GET',
        path: `/authorize?${authorizationQuery(queryOf(raw), deps.connect.resources)}`,
        accept: 'text/html',
      };
    },
    { connect: deps.connect, present: holdRedirect },
  );

/** `GET /connect/authorize/{uid}` */
const resumeAuthorizationRoute = (deps: ConnectDeps): Route =>
  defineProtocolRoute(
    resumeAuthorizationContract,
    ({ raw, params }) => ({
      method: 'GET',
      path: `/authorize/${encodeURIComponent(String(params['uid']))}`,
      accept: 'text/html',
      cookie: raw.req.headers.cookie,
    }),
    deps,
  );

const formType = 'application/x-www-form-urlencoded';

const formRoute = (contract: Protocol, path: string, deps: ConnectDeps): Route =>
  defineProtocolRoute(
    contract,
    ({ body }) => ({
      method: 'POST',
      path,
      accept: 'application/json',
      body: { type: formType, text: tokenForm(body, deps.connect.resources) },
    }),
    deps,
  );

/** `POST /connect/token` */
const tokenRoute = (deps: ConnectDeps): Route => formRoute(tokenContract, '/token', deps);

/** `POST /connect/revoke` */
const revokeTokenRoute = (deps: ConnectDeps): Route =>
  formRoute(revokeTokenContract, '/revoke', deps);

/** `POST /connect/register` */
const registerClientRoute = (deps: CountingDeps): Route =>
  defineRoute(registerClientContract as RouteContract, async ({ raw, body, requestId }) => {
    const { connect } = deps;
    if (!connect.takesRegistrations) {
      throw new AppError('not_found', 'This instance registers no clients.');
    }
    await consumeBegun(deps, 'registration', clientOf(raw.req));
    const registration = registrationOf(
      body as Readonly<Record<string, unknown>>,
      connect.allowsRemoteClients,
    );
    if ('fault' in registration) {
      return passedOn(refusedRegistration(String(registration.fault))) as never;
    }
    const request = {
      method: 'POST',
      path: '/register',
      accept: 'application/json',
      body: { type: 'application/json', text: JSON.stringify(registration) },
      requestId,
    } as const;
    return passedOn(await connect.call(request)) as never;
  });

/** RFC 7591 section 3.2.2. */
const refusedRegistration = (description: string): LibraryResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error: 'invalid_redirect_uri', error_description: description }),
});

/** Documents change with the configuration only. */
const cached = { 'Cache-Control': 'public, max-age=300' };

const getJson = { method: 'GET', accept: 'application/json' } as const;

const documentRoute = (contract: Protocol, path: string, { connect }: ConnectDeps): Route =>
  defineRoute(
    contract as RouteContract,
    async ({ requestId }) =>
      passedOn(await connect.call({ ...getJson, path, requestId }), cached) as never,
  );

/** `GET /connect/jwks` */
const connectKeysRoute = (deps: ConnectDeps): Route =>
  documentRoute(connectKeysContract, '/jwks', deps);

/** The metadata of the server, in its four places. */
const serverMetadataRoutes = ({ connect }: ConnectDeps): Route[] =>
  serverMetadataContracts.map((contract) =>
    defineRoute(contract as RouteContract, async ({ requestId }) => {
      const path = '/.well-known/oauth-authorization-server';
      const response = await connect.call({ ...getJson, path, requestId });
      // The library adds the scope of OpenID Connect, which this server does not speak, and response modes that it refuses.
      const metadata = {
        ...JSON.parse(response.body),
        scopes_supported: connectionScopes,
        response_modes_supported: ['query'],
      };
      return passedOn({ ...response, body: JSON.stringify(metadata) }, cached) as never;
    }),
  );

/** The metadata of a resource; 404 if the instance has no such resource. */
const resourceMetadataRoute = (contract: Protocol, index: number, { connect }: ConnectDeps) =>
  defineRoute(contract as RouteContract, async () => {
    const resource = connect.resources[index];
    if (resource === undefined) {
      throw new AppError('route_not_found');
    }
    const metadata = {
      resource,
      authorization_servers: [connect.issuer],
      scopes_supported: connectionScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Commonplace',
    };
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return passedOn({ status: 200, headers, body: JSON.stringify(metadata) }, cached) as never;
  });

/** Every route of the authorization server. */
export const connectRoutes = (deps: CountingDeps): Route[] => [
  authorizeRoute(deps),
  resumeAuthorizationRoute(deps),
  tokenRoute(deps),
  revokeTokenRoute(deps),
  registerClientRoute(deps),
  connectKeysRoute(deps),
  ...serverMetadataRoutes(deps),
  resourceMetadataRoute(resourceMetadataContract, 0, deps),
  resourceMetadataRoute(mcpResourceMetadataContract, 1, deps),
];
