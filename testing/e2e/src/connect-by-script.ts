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
  const opened = await openConsentByScript(send, clientId, consenting);
  const { resource, cookies } = opened;
  const approved = await approveByScript(send, opened, consenting);
  const { location } = jsonOf(approved, 200) as { location: string };
  const exchanged = await exchangeByScript(
    send,
    opened,
    await codeByScript(send, opened, location),
  );
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

/** A consent that an operator has open. */
export type OpenConsent = {
  readonly clientId: string;
  readonly path: string;
  readonly version: string;
  readonly verifier: string;
  readonly resource: string;
  /** The cookies that the authorization set, with their attributes. */
  readonly cookies: readonly string[];
  /** Of the browser: its session, and the cookies of the consent. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Begins an authorization, and reads what the consent page shows. */
export const openConsentByScript = async (
  send: Send,
  clientId: string,
  { headers: session, origin, path: server = '/connect/mcp' }: Consenting,
): Promise<OpenConsent> => {
  const resource = origin + server;
  const { path: start, verifier } = authorizationPath(clientId, resource);
  const started = await send(start);
  const path = locationOf(started);
  const cookies = started.headers.getSetCookie();
  const jar = [session['cookie'], ...cookies.map((each) => each.split(';')[0])];
  const cookie = jar.filter((each) => each !== undefined).join('; ');
  const headers = { ...session, cookie, origin, 'sec-fetch-site': 'same-origin' };
  const read = await send(path, { headers: { ...headers, accept: 'application/json' } });
  const { version } = jsonOf(read, 200) as { version: string };
  return { clientId, path, version, verifier, resource, cookies, headers };
};

/** Approves a consent; the response has the address that leads back to the host. */
export const approveByScript = (
  send: Send,
  { path, version, headers }: OpenConsent,
  { companyId, agentId }: Pick<Consenting, 'companyId' | 'agentId'>,
): Promise<Received> =>
  send(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      decision: 'approve',
      version,
      companyId,
      agent: agentId === undefined ? { name: 'Script' } : { agentId },
      scopes: ['notes:read', 'notes:write'],
      expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    }),
  });

/** Goes back to the host; returns the code that it gets. */
export const codeByScript = async (
  send: Send,
  { headers: { cookie = '' } }: OpenConsent,
  location: string,
): Promise<string> => {
  const back = new URL(locationOf(await send(location, { headers: { cookie } })));
  const code = back.searchParams.get('code');
  if (code === null) {
    throw new Error(`The browser came back with ${back.search}`);
  }
  return code;
};

/** Exchanges a code. */
export const exchangeByScript = (
  send: Send,
  { clientId, verifier, resource }: OpenConsent,
  code: string,
): Promise<Received> =>
  postForm(send, '/connect/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    resource,
  });

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
