import type { RequestListener } from 'node:http';
import { newId } from '@commonplace/contracts';
import type { OperatorCaller } from '@commonplace/identity';
import { as } from '@commonplace/testkit';
import {
  authorizationQuery,
  type RequestedAuthorization,
} from '@commonplace/testkit/authorization-query';
import type request from 'supertest';
import { setCookiesOf } from './auth-world.ts';

export const redirectUri = 'https://app.example/callback';
export const resource = 'http://localhost/connect/mcp';

type Json = Readonly<Record<string, unknown>>;

/** Registers a client and returns its id. */
export const register = async (app: RequestListener, metadata: Json = {}): Promise<string> => {
  const { body } = await postRegistration(app, metadata).expect(201);
  return String((body as Json)['client_id']);
};

/** Limits are by address, and only their own tests want to reach them. */
export const anyAddress = (): string => `192.0.2.${Math.floor(Math.random() * 250)}`;

export const postRegistration = (
  app: RequestListener,
  metadata: Json = {},
  address = anyAddress(),
): request.Test =>
  as(app, null)
    .post('/connect/register')
    .set('x-client-address', address)
    .send({ client_name: 'App', redirect_uris: [redirectUri], ...metadata });

/** An authorization that a browser began. */
export type Begun = {
  readonly uid: string;
  readonly verifier: string;
  /** The cookies of the consent page, and of the way back. */
  readonly cookie: string;
  readonly state: string;
};

type AuthorizeOptions = Pick<RequestedAuthorization, 'clientId' | 'params'>;

/** The query of an authorization at the resource of these tests, and the verifier of its challenge. */
export const authorizeQuery = (options: AuthorizeOptions) =>
  authorizationQuery({ redirectUri, resource, ...options });

export const begin = async (app: RequestListener, options: AuthorizeOptions): Promise<Begun> => {
  const { query, verifier } = authorizeQuery(options);
  const response = await as(app, null)
    .get(`/connect/authorize?${query}`)
    .set('x-client-address', anyAddress())
    .expect(303);
  const uid = /^\/connect\/consent\/([\w-]+)$/.exec(String(response.headers['location']))?.[1];
  if (uid === undefined) {
    throw new Error(`No consent: ${String(response.headers['location'])}`);
  }
  const cookie = setCookiesOf(response)
    .map((each) => each.split(';')[0])
    .join('; ');
  return { uid, verifier, cookie, state: 'state-of-the-app' };
};

export const readConsent = (app: RequestListener, caller: OperatorCaller, begun: Begun) =>
  as(app, caller).get(`/connect/consent/${begun.uid}`).set('cookie', begun.cookie);

export const decide = (
  app: RequestListener,
  caller: OperatorCaller,
  begun: Begun & { readonly decision: Json },
) =>
  as(app, caller)
    .post(`/connect/consent/${begun.uid}`)
    .set('cookie', begun.cookie)
    .send(begun.decision);

/** What an operator approves by default. */
export const approval = (version: unknown, more: Json = {}): Json => ({
  decision: 'approve',
  version,
  companyId: newId(),
  agent: { name: 'App' },
  scopes: ['notes:read', 'notes:write'],
  expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  ...more,
});

/** Reads and approves; returns the address that leads back to the app. */
export const consent = async (
  app: RequestListener,
  caller: OperatorCaller,
  begun: Begun,
): Promise<URL> => {
  const { body } = await readConsent(app, caller, begun).expect(200);
  const decision = approval((body as Json)['version']);
  const decided = await decide(app, caller, { ...begun, decision }).expect(200);
  return follow(app, begun, String((decided.body as Json)['location']));
};

/** Follows the way back to the app. */
export const follow = async (app: RequestListener, begun: Begun, path: string): Promise<URL> => {
  const response = await as(app, null).get(path).set('cookie', begun.cookie).expect(303);
  return new URL(String(response.headers['location']));
};

export type Tokens = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
};

export const postToken = (app: RequestListener, form: Readonly<Record<string, string>>) =>
  as(app, null).post('/connect/token').type('form').send(form);

type Connected = { readonly clientId: string; readonly code: string; readonly begun: Begun };

/** The whole way to a code. */
export const authorize = async (
  app: RequestListener,
  caller: OperatorCaller,
): Promise<Connected> => {
  const clientId = await register(app);
  const begun = await begin(app, { clientId });
  const back = await consent(app, caller, begun);
  return { clientId, begun, code: String(back.searchParams.get('code')) };
};

export const codeForm = ({ clientId, code, begun }: Connected) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: redirectUri,
  code_verifier: begun.verifier,
  resource,
});

export const refreshForm = (clientId: string, token: string) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: token,
  resource,
});

/** The whole way to tokens. */
export const connect = async (app: RequestListener, caller: OperatorCaller) => {
  const connected = await authorize(app, caller);
  const { body } = await postToken(app, codeForm(connected)).expect(200);
  return { ...connected, tokens: body as Tokens };
};
