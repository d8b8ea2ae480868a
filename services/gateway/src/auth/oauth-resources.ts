import {
  connectionResource,
  type ConnectionResource,
  type RouteContract,
} from '@commonplace/contracts';

/** A route at which access tokens of connections are credentials. */
export type OAuthResource = {
  readonly path: ConnectionResource;
  /** Whether other credentials are none there. */
  readonly isOnly: boolean;
  /** The `WWW-Authenticate` of its 401 responses (RFC 9728), which hosts find the server by. */
  readonly challenge: (isInvalid: boolean) => string;
};

/** The resource of a route; null where access tokens of connections are not credentials. */
export type OAuthResourceOf = (contract: RouteContract) => OAuthResource | null;

/** What a host requests by default. */
const scope = 'notes:read notes:write';

export type OAuthResourceOptions = {
  /** The origin that clients reach, never that of a request. */
  readonly origin: string;
  /** The setting OAUTH_AT_MCP. */
  readonly isAtMcp: boolean;
};

/** Creates the function that finds the resource of a route. */
export const createOAuthResources = ({
  origin,
  isAtMcp,
}: OAuthResourceOptions): OAuthResourceOf => {
  const resourceAt = (path: ConnectionResource, isOnly: boolean): OAuthResource => {
    const metadata = `${origin}/.well-known/oauth-protected-resource${path}`;
    const parameters = `resource_metadata="${metadata}", scope="${scope}"`;
    return {
      path,
      isOnly,
      challenge: (isInvalid) => `Bearer ${isInvalid ? 'error="invalid_token", ' : ''}${parameters}`,
    };
  };
  const resources = new Map(
    connectionResource.options.map((path) => [
      path as string,
      { only: resourceAt(path, true), optional: isAtMcp ? resourceAt(path, false) : null },
    ]),
  );
  return ({ connections, path }) =>
    connections === undefined ? null : (resources.get(path)?.[connections] ?? null);
};
