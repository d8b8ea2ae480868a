import { authorizationQuery } from '@commonplace/testkit/authorization-query';

/** A response, as far as the protocol needs it. */
export type Received = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

/** Sends one request to an instance, and follows no redirect. */
export type Send = (
  path: string,
  sent?: {
    readonly method?: 'GET' | 'POST';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
) => Promise<Received>;

/** Sends to an instance directly. */
export const sendTo =
  (baseUrl: string): Send =>
  async (path, sent = {}) => {
    const response = await fetch(baseUrl + path, { ...sent, redirect: 'manual' });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  };

/** Of the hosts that `registerByScript` registers. */
export const redirectUri = 'http://127.0.0.1:1/callback';

export type ScriptedTokens = { readonly access_token: string; readonly refresh_token: string };

/** An operator who consents. */
export type Consenting = {
  /** Of the operator's session; none in local trusted mode. */
  readonly headers: Readonly<Record<string, string>>;
  readonly companyId: string;
  /** Without it a new agent. */
  readonly agentId?: string;
  /** The address of the instance, as clients know it. */
  readonly origin: string;
  /** The path of the server. */
  readonly path?: '/connect/mcp' | '/mcp';
  /** Of a host that registered before. */
  readonly clientId?: string;
};

/** A connection, as its host knows it. */
export type ScriptedConnection = {
  readonly clientId: string;
  readonly connectionId: string;
  readonly resource: string;
  readonly tokens: ScriptedTokens;
  /** The cookies that the authorization set, with their attributes. */
  readonly cookies: readonly string[];
};

/** What a host and a browser do together, without either: registers, consents and exchanges the code. */
export const connectByScript = async (
  send: Send,
  consenting: Consenting,
): Promise<ScriptedConnection> => {
  const clientId = consenting.clientId ?? (await registerByScript(send));
  const { code, verifier, resource, cookies } = await authorizeByScript(send, clientId, consenting);
  const exchanged = await postForm(send, '/connect/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    resource,
  });
  const tokens = jsonOf(exchanged, 200) as ScriptedTokens;
  const listed = await send(`/api/companies/${consenting.companyId}/connections`, {
    headers: { ...consenting.headers, 'x-company-id': consenting.companyId },
  });
  const [newest] = (jsonOf(listed, 200) as { items: { id: string }[] }).items;
  return { clientId, connectionId: String(newest?.id), resource, tokens, cookies };
};

/** Exchanges a refresh token. */
export const refreshByScript = (
  send: Send,
  { clientId, resource }: Pick<ScriptedConnection, 'clientId' | 'resource'>,
  refreshToken: string,
): Promise<Received> =>
  postForm(send, '/connect/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    resource,
  });

/** Registers a host of this machine. */
export const registerByScript = async (send: Send): Promise<string> => {
  const registered = await send('/connect/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Script', redirect_uris: [redirectUri] }),
  });
  return (jsonOf(registered, 201) as { client_id: string }).client_id;
};

/** The path that begins an authorization, and the verifier of its challenge. */
export const authorizationPath = (clientId: string, resource: string, uri = redirectUri) => {
  const { query, verifier } = authorizationQuery({ clientId, redirectUri: uri, resource });
  return { path: `/connect/authorize?${query}`, verifier };
};

const authorizeByScript = async (
  send: Send,
  clientId: string,
  { headers, companyId, agentId, origin, path = '/connect/mcp' }: Consenting,
) => {
  const resource = origin + path;
  const begun = authorizationPath(clientId, resource);
  const started = await send(begun.path);
  const consentPath = locationOf(started);
  const cookies = started.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
  const jar = [headers['cookie'], ...cookies].filter((each) => each !== undefined).join('; ');
  const asOperator = { ...headers, cookie: jar, origin, 'sec-fetch-site': 'same-origin' };
  const read = await send(consentPath, { headers: { ...asOperator, accept: 'application/json' } });
  const { version } = jsonOf(read, 200) as { version: string };
  const decided = await send(consentPath, {
    method: 'POST',
    headers: { ...asOperator, 'content-type': 'application/json' },
    body: JSON.stringify({
      decision: 'approve',
      version,
      companyId,
      agent: agentId === undefined ? { name: 'Script' } : { agentId },
      scopes: ['notes:read', 'notes:write'],
      expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    }),
  });
  const { location } = jsonOf(decided, 200) as { location: string };
  const back = new URL(locationOf(await send(location, { headers: { cookie: jar } })));
  const code = back.searchParams.get('code');
  if (code === null) {
    throw new Error(`The browser came back with ${back.search}`);
  }
  return { code, verifier: begun.verifier, resource, cookies: started.headers.getSetCookie() };
};

const postForm = (send: Send, path: string, fields: Readonly<Record<string, string>>) =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

const jsonOf = ({ status, text }: Received, expected: number): unknown => {
  if (status !== expected) {
    throw new Error(`Expected ${expected}, got ${status}: ${text.slice(0, 1_000)}`);
  }
  return JSON.parse(text) as unknown;
};

const locationOf = ({ status, headers, text }: Received): string => {
  const location = headers.get('location');
  if (location === null) {
    throw new Error(`Expected a redirect, got ${status}: ${text.slice(0, 1_000)}`);
  }
  return location;
};
