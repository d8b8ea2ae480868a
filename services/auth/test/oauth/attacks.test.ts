import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OperatorCaller } from '@commonplace/identity';
import { as } from '@commonplace/testkit';
import {
  cookieFor,
  createWorld,
  sessionSecret,
  withCookie,
  type World,
} from '../support/auth-world.ts';
import {
  approval,
  authorize,
  authorizeQuery,
  begin,
  codeForm,
  connect,
  decide,
  follow,
  postRegistration,
  postToken,
  readConsent,
  redirectUri,
  refreshForm,
  register,
  type Begun,
} from '../support/oauth-client.ts';

let world: World;
let caller: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  await world.operator('olga@example.org');
  ({ caller } = await withCookie(world.app, await cookieFor(world.app, 'olga@example.org')));
});
afterAll(() => world.close());

const errorOf = (response: { body: unknown }) => (response.body as { error?: string }).error;

type Params = Readonly<Record<string, string | null>>;

/** An app on the same machine: no page stands between a refusal and it. */
const ownApp = 'http://127.0.0.1:7777/callback';

/** Where an authorization sends the browser at once; null: nowhere. */
const sentTo = async (clientId: string, params: Params): Promise<URL | null> => {
  const { query } = authorizeQuery({ clientId, params });
  const { headers } = await as(world.app, null).get(`/connect/authorize?${query}`);
  const { location } = headers as { location?: string };
  return location === undefined ? null : new URL(location, 'http://localhost');
};

describe('every response that goes back to an app', () => {
  it.each([
    ['a missing challenge', { code_challenge: null }],
    ['a challenge that is no digest', { code_challenge: 'short' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['a token at once', { response_type: 'token' }],
    ['an ID token', { response_type: 'code id_token' }],
    ['no response type', { response_type: null }],
    ['no page', { prompt: 'none' }],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
    ['a request by reference', { request_uri: 'https://evil.example/request' }],
    ['a fragment', { response_mode: 'fragment' }],
    ['a form', { response_mode: 'form_post' }],
    ['a message', { response_mode: 'web_message' }],
  ] as const)('names the issuer, so that servers are not mixed up: %s', async (_what, params) => {
    const clientId = await register(world.app, { redirect_uris: [ownApp] });
    const location = await sentTo(clientId, { redirect_uri: ownApp, ...params });
    // Also where a response type wants a token at once (RFC 6749, sections 3.1.1 and 4.1.2.1).
    const { hash, origin, pathname, searchParams: result } = location ?? {};
    expect([`${origin}${pathname}`, hash]).toEqual([ownApp, '']);
    result?.delete('error_description');
    expect([...(result?.keys() ?? [])].toSorted()).toEqual(['error', 'iss', 'state']);
    expect(result?.get('iss')).toBe('http://localhost/connect');
    expect(result?.get('state')).toBe('state-of-the-app');
  });

  it.each([
    ['a token at once', { response_type: 'token' }],
    ['no page', { prompt: 'none' }],
    ['no challenge', { code_challenge: null }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])(
    'to another site is a link on a page, before anybody has signed in: %s',
    async (_what, params) => {
      const clientId = await register(world.app);
      const { query } = authorizeQuery({ clientId, params });
      const response = await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
      expect(response.headers['location']).toBeUndefined();
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      const [, href = ''] =
        /<a href="([^"]+)" rel="noreferrer">Go back to app\.example</.exec(response.text) ?? [];
      const target = new URL(href.replaceAll('&#38;', '&'));
      expect(`${target.origin}${target.pathname}`).toBe(redirectUri);
      expect([target.searchParams.has('error'), target.hash]).toEqual([true, '']);
      expect(response.text).not.toContain('<script');
    },
  );

  it('goes nowhere while client or redirect URI are unknown, whatever else is wrong', async () => {
    const clientId = await register(world.app);
    const evil = 'https://evil.example/callback';
    for (const params of [
      { redirect_uri: evil },
      { redirect_uri: evil, response_type: 'token' },
      { redirect_uri: evil, prompt: 'none' },
      { redirect_uri: evil, response_mode: 'form_post' },
      { redirect_uri: evil, code_challenge: null },
      { redirect_uri: null },
      { redirect_uri: '//evil.example' },
      { redirect_uri: 'javascript:alert(1)' },
      { client_id: 'nobody', redirect_uri: evil },
      { client_id: null },
    ]) {
      expect([params, await sentTo(clientId, params)]).toEqual([params, null]);
    }
  });

  it('metadata offers no other way for a code', async () => {
    const { body } = await as(world.app, null)
      .get('/.well-known/oauth-authorization-server/connect')
      .expect(200);
    expect(body).toMatchObject({ response_modes_supported: ['query'] });
  });
});

describe('an app that lies about itself', () => {
  const shown = async (metadata: Readonly<Record<string, unknown>>, uri: string) => {
    const clientId = await register(world.app, { redirect_uris: [uri], ...metadata });
    const begun = await begin(world.app, { clientId, params: { redirect_uri: uri } });
    const { body } = await readConsent(world.app, caller, begun).expect(200);
    return (body as { client: Readonly<Record<string, unknown>> }).client;
  };

  it('has its host shown in ASCII, where letters of other scripts do not look alike', async () => {
    const client = await shown({ client_name: 'Claude' }, 'https://сlaude.ai/callback');
    expect(client).toMatchObject({ host: 'xn--laude-0ye.ai', isNamedByHost: false });
  });

  it('has no picture and no links of its own, and a name of one line', async () => {
    const metadata = {
      client_name: `Claude\u2028\u200b\u0007${'!'.repeat(150)}`,
      logo_uri: 'https://claude.ai/logo.png',
      client_uri: 'https://claude.ai',
      policy_uri: 'https://claude.ai/policy',
      tos_uri: 'https://claude.ai/terms',
    };
    const { name, ...client } = await shown(metadata, 'https://evil.example/callback');
    expect(name).toBe(`Claude ${'!'.repeat(93)}`);
    expect(Object.keys(client).toSorted()).toEqual([
      'host',
      'isLoopback',
      'isNamedByHost',
      'redirectHost',
    ]);
    const { body } = await postRegistration(world.app, metadata).expect(201);
    expect(JSON.stringify(body)).not.toContain('claude.ai');
  });

  it('cannot take the id of another, or bring a secret', async () => {
    const clientId = await register(world.app);
    const { body } = await postRegistration(world.app, {
      client_id: clientId,
      client_secret: 'known to everybody',
      redirect_uris: ['https://evil.example/callback'],
    }).expect(201);
    const registered = body as Readonly<Record<string, unknown>>;
    expect(registered['client_id']).not.toBe(clientId);
    expect(registered).not.toHaveProperty('client_secret');
    const evil = await sentTo(clientId, { redirect_uri: 'https://evil.example/callback' });
    expect(evil).toBeNull();
  });
});

describe('a host that registers several addresses', () => {
  const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const ofCursor = [
    cursor,
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'http://localhost:8787/callback',
  ];
  const ofVsCode = [
    'http://127.0.0.1/',
    'http://localhost/',
    'http://127.0.0.1:33418/',
    'https://vscode.dev/redirect',
  ];

  it.each([
    ['Cursor, by its scheme', ofCursor, { uri: cursor, local: 'cursor://anysphere.cursor-mcp' }],
    [
      'Cursor, by another port',
      ofCursor,
      { uri: 'http://localhost:8788/callback', local: 'localhost:8788' },
    ],
    ['Cursor, by its site', ofCursor, { uri: String(ofCursor[1]), local: null }],
    [
      'VS Code, by another port',
      ofVsCode,
      { uri: 'http://127.0.0.1:51234/', local: '127.0.0.1:51234' },
    ],
    ['VS Code, by its site', ofVsCode, { uri: 'https://vscode.dev/redirect', local: null }],
  ])('connects by each of them: %s', async (_name, uris, { uri, local }) => {
    const clientId = await register(world.app, { redirect_uris: uris });
    const begun = await begin(world.app, { clientId, params: { redirect_uri: uri } });
    const { body } = await readConsent(world.app, caller, begun).expect(200);
    // Any program can claim to be an app on the machine of the browser.
    expect(body).toMatchObject({
      client: {
        isLoopback: local !== null,
        redirectHost: local ?? new URL(uri).host,
      },
    });
    const decision = approval((body as { version: string }).version);
    const decided = await decide(world.app, caller, { ...begun, decision }).expect(200);
    const { location } = decided.body as { location: string };
    const back = String(await follow(world.app, begun, location));
    expect(back.startsWith(`${uri}?code=`)).toBe(true);
  });

  it('by no scheme that is only like theirs, and its site stays exact', async () => {
    for (const uri of [
      'cursor://evil/oauth/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback/',
      'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
      'CURSOR://anysphere.cursor-mcp/oauth/callback',
      'vscode://anysphere.cursor-mcp/oauth/callback',
    ]) {
      const refused = await postRegistration(world.app, { redirect_uris: [uri] }).expect(400);
      expect(errorOf(refused)).toBe('invalid_redirect_uri');
    }
    const clientId = await register(world.app, { redirect_uris: ofCursor });
    for (const uri of [
      'https://www.cursor.com:8443/agents/mcp/oauth/callback',
      'https://www.cursor.com/',
      'cursor://anysphere.cursor-mcp:1/oauth/callback',
    ]) {
      expect([uri, await sentTo(clientId, { redirect_uri: uri })]).toEqual([uri, null]);
    }
  });

  it('on an instance without accounts only by those that are on the machine', async () => {
    const local = world.appWith({ mode: 'local_trusted' });
    const { body } = await postRegistration(local, { redirect_uris: ofCursor }).expect(201);
    expect(body).toMatchObject({ redirect_uris: [ofCursor[0], ofCursor[2]] });
    await postRegistration(local, { redirect_uris: [ofCursor[1]] }).expect(400);
  });
});

describe('a code of another authorization', () => {
  it('is no good for a client that did not begin it, nor with the verifier of another', async () => {
    const victim = await authorize(world.app, caller);
    const attacker = await authorize(world.app, caller);
    // The attacker's own session gets the code of the victim, and the other way round.
    for (const form of [
      { ...codeForm(attacker), code: victim.code },
      { ...codeForm(victim), code: attacker.code },
      { ...codeForm(victim), client_id: attacker.clientId },
      { ...codeForm(victim), code_verifier: attacker.begun.verifier },
    ]) {
      expect(errorOf(await postToken(world.app, form).expect(400))).toBe('invalid_grant');
    }
  });
});

describe('after a rotation of SESSION_SECRETS', () => {
  const fresh = 'test-only-session-secret-that-is-new....';
  const approve = async (app: World['app'], begun: Begun) => {
    const { body } = await readConsent(app, caller, begun).expect(200);
    const decision = approval((body as { version: string }).version);
    return decide(app, caller, { ...begun, decision });
  };

  it('a consent under way goes on while the former secret verifies, and is over after it', async () => {
    const added = world.appWith({ sessionSecrets: [sessionSecret, fresh] });
    const used = world.appWith({ sessionSecrets: [fresh, sessionSecret] });
    const removed = world.appWith({ sessionSecrets: [fresh] });
    const clientId = await register(world.app);
    const before = await begin(world.app, { clientId });
    expect((await approve(used, before)).status).toBe(200);
    // Begun with the new secret, at a process that has it second only.
    const during = await begin(used, { clientId });
    const decided = await approve(added, during);
    expect(decided.status).toBe(200);
    const { location } = decided.body as { location: string };
    expect((await follow(added, during, location)).searchParams.get('code')).not.toBeNull();
    const late = await begin(world.app, { clientId });
    expect((await readConsent(removed, caller, late)).status).toBe(410);
  });

  it('codes and refresh tokens go on: no secret is in them', async () => {
    const removed = world.appWith({ sessionSecrets: [fresh] });
    const connected = await authorize(world.app, caller);
    await postToken(removed, codeForm(connected)).expect(200);
    const { clientId, tokens } = await connect(world.app, caller);
    await postToken(removed, refreshForm(clientId, tokens.refresh_token)).expect(200);
  });

  it('the key set has the keys of all secrets, and those of one without the others', async () => {
    const keysOf = async (sessionSecrets: readonly [string, ...string[]]) => {
      const { body } = await as(world.appWith({ sessionSecrets }), null).get('/connect/jwks');
      return (body as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
    };
    const [former] = await keysOf([sessionSecret]);
    const [current] = await keysOf([fresh]);
    expect(current).not.toBe(former);
    expect((await keysOf([fresh, sessionSecret])).toSorted()).toEqual([current, former].toSorted());
  });
});
