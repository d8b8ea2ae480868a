import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isWellFormedConnectionToken, type OperatorCaller } from '@commonplace/identity';
import { as } from '@commonplace/testkit';
import { purgeExpired } from '../../src/commands/purge-expired.ts';
import { cookieFor, createWorld, withCookie, type World } from '../support/auth-world.ts';
import {
  authorize,
  authorizeQuery,
  begin,
  codeForm,
  connect,
  consent,
  follow,
  decide,
  postRegistration,
  postToken,
  redirectUri,
  refreshForm,
  register,
  resource,
  type Tokens,
} from '../support/oauth-client.ts';

let world: World;
let caller: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  await world.operator('olga@example.org');
  ({ caller } = await withCookie(world.app, await cookieFor(world.app, 'olga@example.org')));
});
afterAll(() => world.close());

const lastConnection = () => {
  const entry = [...world.agents.connections.entries()].at(-1);
  if (!entry) {
    throw new Error('There is no connection');
  }
  return entry[1];
};

const errorOf = (response: { body: unknown }) => (response.body as { error?: string }).error;

describe('the way to a token', () => {
  it('leads from a registration over the consent to a token of the connection', async () => {
    const { tokens, clientId } = await connect(world.app, caller);
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'notes:read notes:write',
    });
    expect(isWellFormedConnectionToken(tokens.access_token)).toBe(true);
    const { request, tokens: issued } = lastConnection();
    expect([...issued]).toEqual([tokens.access_token]);
    expect(request).toMatchObject({
      operatorId: caller.operatorId,
      scopes: ['notes:read', 'notes:write'],
      agent: { name: 'App' },
      client: { id: clientId, name: 'App', host: 'app.example' },
    });
  });

  it('sends the browser back with state and issuer, and a refusal with access_denied', async () => {
    const clientId = await register(world.app);
    const begun = await begin(world.app, { clientId });
    const back = await consent(world.app, caller, begun);
    expect(back.origin + back.pathname).toBe(redirectUri);
    expect(back.searchParams.get('state')).toBe('state-of-the-app');
    expect(back.searchParams.get('iss')).toBe('http://localhost/connect');
    const refused = await begin(world.app, { clientId });
    await as(world.app, caller)
      .get(`/connect/consent/${refused.uid}`)
      .set('cookie', refused.cookie)
      .expect(200);
    const { body } = await decide(world.app, caller, {
      ...refused,
      decision: { decision: 'refuse' },
    }).expect(200);
    const denied = await follow(world.app, refused, (body as { location: string }).location);
    expect(denied.searchParams.get('error')).toBe('access_denied');
    expect(denied.searchParams.get('code')).toBeNull();
  });

  it('stores no code, token or id of an interaction', async () => {
    const { tokens, code, begun } = await connect(world.app, caller);
    const rows = await world.sql('select kind, digest, payload::text from auth.oauth_records');
    const text = JSON.stringify(rows);
    for (const secret of [tokens.access_token, tokens.refresh_token, code, begun.uid]) {
      expect(text).not.toContain(secret);
    }
    // A random id may have the three letters; a claim has its name in quotation marks.
    expect(text).not.toContain(String.raw`\"jti\"`);
    expect(text).toContain(String.raw`\"exp\"`);
    expect(rows.some(({ kind }) => kind === 'RefreshToken')).toBe(true);
  });

  it('needs a challenge with S256', async () => {
    const clientId = await register(world.app);
    for (const params of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: 'plain' },
      { code_challenge_method: null },
    ]) {
      const { query } = authorizeQuery({ clientId, params });
      const { text } = await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
      expect(text).toContain(`<a href="${redirectUri}?error=invalid_request&#38;`);
    }
    const connected = await authorize(world.app, caller);
    const { code_verifier: _verifier, ...without } = codeForm(connected);
    expect(errorOf(await postToken(world.app, without).expect(400))).toBe('invalid_grant');
    const wrong = { ...codeForm(connected), code_verifier: 'x'.repeat(43) };
    expect(errorOf(await postToken(world.app, wrong).expect(400))).toBe('invalid_grant');
    await postToken(world.app, codeForm(connected)).expect(200);
  });

  it('ignores parameters and scopes it does not know', async () => {
    const clientId = await register(world.app);
    const params = {
      nonce: 'n',
      max_age: '1',
      foo: 'bar',
      scope: 'openid offline_access notes:read',
    };
    const begun = await begin(world.app, { clientId, params });
    const { body } = await as(world.app, caller)
      .get(`/connect/consent/${begun.uid}`)
      .set('cookie', begun.cookie)
      .expect(200);
    expect(body).toMatchObject({ scopes: ['notes:read'] });
  });
});

describe('the resource', () => {
  it.each([
    ['none', null],
    ['ours', resource],
    ['with a slash', `${resource}/`],
    ['in another case', 'HTTP://LOCALHOST/connect/mcp'],
    ['with the default port', 'http://localhost:80/connect/mcp'],
  ])('is accepted: %s', async (_name, named) => {
    const clientId = await register(world.app);
    const begun = await begin(world.app, { clientId, params: { resource: named } });
    const code = String((await consent(world.app, caller, begun)).searchParams.get('code'));
    const { resource: _resource, ...form } = codeForm({ clientId, code, begun });
    const sent = named === null ? form : { ...form, resource: named };
    await postToken(world.app, sent).expect(200);
  });

  it.each([
    'http://localhost/mcp',
    'http://localhost/connect/MCP',
    'http://localhost/connect/mcp?x=1',
    'http://localhost/connect/mcp#x',
    'http://localhost:8080/connect/mcp',
    'https://localhost/connect/mcp',
    'http://localhost.evil.example/connect/mcp',
    'http://user@localhost/connect/mcp',
    'http://localhost/connect/x/../mcp',
    'http://localhost/connect/mcp//',
    'urn:x',
    'nonsense',
  ])('is refused: %s', async (named) => {
    const clientId = await register(world.app);
    const { query } = authorizeQuery({ clientId, params: { resource: named } });
    const { text } = await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
    expect(text).toContain('?error=invalid_target&#38;');
    const connected = await authorize(world.app, caller);
    const form = { ...codeForm(connected), resource: named };
    expect(errorOf(await postToken(world.app, form).expect(400))).toBe('invalid_target');
  });

  it('uses up no code and no refresh token if it is refused', async () => {
    const foreign = { resource: 'http://localhost/mcp' };
    const connected = await authorize(world.app, caller);
    const code = codeForm(connected);
    await postToken(world.app, { ...code, ...foreign }).expect(400);
    const { body } = await postToken(world.app, code).expect(200);
    const refresh = refreshForm(connected.clientId, (body as Tokens).refresh_token);
    await postToken(world.app, { ...refresh, ...foreign }).expect(400);
    world.passSeconds(60);
    await postToken(world.app, refresh).expect(200);
    world.passSeconds(-60);
    expect(lastConnection().endedBecause).toBeNull();
  });
});

describe('a code', () => {
  it('works once: its second use ends the connection with what the first got', async () => {
    const connected = await authorize(world.app, caller);
    const { body } = await postToken(world.app, codeForm(connected)).expect(200);
    const again = await postToken(world.app, codeForm(connected)).expect(400);
    expect(errorOf(again)).toBe('invalid_grant');
    const connection = lastConnection();
    expect(connection.endedBecause).toBe('code_reused');
    expect(connection.tokens.size).toBe(0);
    const refresh = refreshForm(connected.clientId, (body as Tokens).refresh_token);
    expect(errorOf(await postToken(world.app, refresh).expect(400))).toBe('invalid_grant');
  });

  it('gives one token at most, however many exchange it at once', async () => {
    const connected = await authorize(world.app, caller);
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => postToken(world.app, codeForm(connected))),
    );
    const granted = responses.filter(({ status }) => status === 200);
    expect(granted.length).toBeLessThanOrEqual(1);
    expect(lastConnection().endedBecause).toBe('code_reused');
    expect(lastConnection().tokens.size).toBe(0);
  });

  it('is of one client and one redirect URI, and lasts a minute', async () => {
    const connected = await authorize(world.app, caller);
    const other = await register(world.app);
    const foreign = { ...codeForm(connected), client_id: other };
    expect(errorOf(await postToken(world.app, foreign).expect(400))).toBe('invalid_grant');
    const elsewhere = { ...codeForm(connected), redirect_uri: `${redirectUri}/` };
    expect(errorOf(await postToken(world.app, elsewhere).expect(400))).toBe('invalid_grant');
    world.passSeconds(61);
    expect(errorOf(await postToken(world.app, codeForm(connected)).expect(400))).toBe(
      'invalid_grant',
    );
    world.passSeconds(-61);
  });
});

describe('a refresh token', () => {
  const refresh = (clientId: string, token: string) =>
    postToken(world.app, refreshForm(clientId, token));

  it('has the rights of the connection, which the response names, whatever narrower scope is requested', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    const narrower = { ...refreshForm(clientId, tokens.refresh_token), scope: 'notes:read' };
    const { body } = await postToken(world.app, narrower).expect(200);
    expect(body).toMatchObject({ scope: 'notes:read notes:write' });
    const second = refreshForm(clientId, (body as Tokens).refresh_token);
    const wider = { ...second, scope: 'notes:read agents:read' };
    expect(errorOf(await postToken(world.app, wider).expect(400))).toBe('invalid_scope');
    await postToken(world.app, second).expect(200);
  });

  it('is exchanged for a new pair each time', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    const { body } = await refresh(clientId, tokens.refresh_token).expect(200);
    const second = body as Tokens;
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    expect(lastConnection().tokens.has(second.access_token)).toBe(true);
    await refresh(clientId, second.refresh_token).expect(200);
  });

  it('may be sent again for 10 s if the response was lost: what was lost ends', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    const lost = (await refresh(clientId, tokens.refresh_token).expect(200)).body as Tokens;
    const kept = (await refresh(clientId, tokens.refresh_token).expect(200)).body as Tokens;
    expect([...lastConnection().tokens]).toEqual([kept.access_token]);
    expect(errorOf(await refresh(clientId, lost.refresh_token).expect(400))).toBe('invalid_grant');
    await refresh(clientId, kept.refresh_token).expect(200);
    expect(lastConnection().endedBecause).toBeNull();
  });

  it('ends the connection if it is sent again after what came of it was used', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    const next = (await refresh(clientId, tokens.refresh_token).expect(200)).body as Tokens;
    await refresh(clientId, next.refresh_token).expect(200);
    await refresh(clientId, tokens.refresh_token).expect(400);
    expect(lastConnection().endedBecause).toBe('refresh_token_reused');
    await refresh(clientId, next.refresh_token).expect(400);
  });

  it('ends the connection if it is sent again after 10 s', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    await refresh(clientId, tokens.refresh_token).expect(200);
    world.passSeconds(11);
    await refresh(clientId, tokens.refresh_token).expect(400);
    world.passSeconds(-11);
    expect(lastConnection().endedBecause).toBe('refresh_token_reused');
  });

  it('gives one pair to several that exchange it at once on two replicas', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    const replica = world.appWith();
    const form = refreshForm(clientId, tokens.refresh_token);
    const responses = await Promise.all(
      [world.app, replica, world.app, replica].map((app) => postToken(app, form)),
    );
    const granted = responses.filter(({ status }) => status === 200);
    const alive = [...lastConnection().tokens];
    expect(granted.length).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status === 400).map(errorOf)).toEqual(
      responses.filter(({ status }) => status === 400).map(() => 'invalid_grant'),
    );
    // However they interleave, one chain of tokens is left.
    const survivors = await Promise.all(
      granted.map(({ body }) => refresh(clientId, (body as Tokens).refresh_token)),
    );
    expect(survivors.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(
      alive.filter((token) => !tokens.access_token.includes(token)).length,
    ).toBeLessThanOrEqual(1);
  });

  it('is over with the connection, and lasts 60 days from its last use', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    world.passSeconds(59 * 86_400);
    const next = (await refresh(clientId, tokens.refresh_token).expect(200)).body as Tokens;
    world.passSeconds(30 * 86_400);
    const last = (await refresh(clientId, next.refresh_token).expect(200)).body as Tokens;
    world.passSeconds(-89 * 86_400);
    lastConnection().endedBecause = 'an operator revoked it';
    expect(errorOf(await refresh(clientId, last.refresh_token).expect(400))).toBe('invalid_grant');
  });

  it('is not issued to a client that did not register for it', async () => {
    const clientId = await register(world.app, { grant_types: ['authorization_code'] });
    const begun = await begin(world.app, { clientId });
    const code = String((await consent(world.app, caller, begun)).searchParams.get('code'));
    const { body } = await postToken(world.app, codeForm({ clientId, code, begun })).expect(200);
    expect(body).not.toHaveProperty('refresh_token');
  });
});

const revoke = (clientId: string, token: string) =>
  as(world.app, null).post('/connect/revoke').type('form').send({ client_id: clientId, token });

describe('a revocation', () => {
  it('of the refresh token ends the connection', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    await revoke(clientId, tokens.refresh_token).expect(200);
    expect(lastConnection().endedBecause).toBe('revoked_by_client');
  });

  it('of an access token ends that one only', async () => {
    const { clientId, tokens } = await connect(world.app, caller);
    await revoke(clientId, tokens.access_token).expect(200);
    expect(lastConnection().tokens.size).toBe(0);
    expect(lastConnection().endedBecause).toBeNull();
    await postToken(world.app, refreshForm(clientId, tokens.refresh_token)).expect(200);
  });

  it('by another client does nothing', async () => {
    const { tokens } = await connect(world.app, caller);
    await revoke(await register(world.app), tokens.refresh_token).expect(200);
    expect(lastConnection().endedBecause).toBeNull();
  });
});

describe('while the agents service is unavailable', () => {
  it('an exchange is 503, and succeeds afterwards with the same code or token', async () => {
    const { state } = world.agents;
    const connected = await authorize(world.app, caller);
    state.isUnavailable = true;
    await postToken(world.app, codeForm(connected)).expect(503);
    await postToken(world.app, codeForm(connected)).expect(503);
    state.isUnavailable = false;
    const { body } = await postToken(world.app, codeForm(connected)).expect(200);
    const form = refreshForm(connected.clientId, (body as Tokens).refresh_token);
    state.isUnavailable = true;
    await postToken(world.app, form).expect(503);
    await postToken(world.app, form).expect(503);
    state.isUnavailable = false;
    world.passSeconds(60);
    await postToken(world.app, form).expect(200);
    world.passSeconds(-60);
    expect(lastConnection().endedBecause).toBeNull();
  });

  it('a revocation is 503, and the repeated one ends the connection', async () => {
    const { state } = world.agents;
    const { clientId, tokens } = await connect(world.app, caller);
    state.isUnavailable = true;
    await revoke(clientId, tokens.refresh_token).expect(503);
    state.isUnavailable = false;
    await revoke(clientId, tokens.refresh_token).expect(200);
    expect(lastConnection().endedBecause).toBe('revoked_by_client');
  });
});

describe('registration', () => {
  it.each([
    'http://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'https://user@app.example/callback',
    'https://app.example/callback#fragment',
    'myapp://callback',
    'javascript:alert(1)',
    'https://localhost/callback',
    `https://${'a'.repeat(256)}.example/callback`,
    'nonsense',
  ])('refuses the redirect URI %s', async (uri) => {
    const response = await postRegistration(world.app, { redirect_uris: [uri] }).expect(400);
    expect(errorOf(response)).toBe('invalid_redirect_uri');
  });

  it('makes every client public, whatever it requests, and takes eight addresses at most', async () => {
    const { body } = await postRegistration(world.app, {
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: 'everything',
      jwks_uri: 'http://10.0.0.1/',
    }).expect(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(body).not.toHaveProperty('client_secret');
    const uris = Array.from({ length: 9 }, (_unused, index) => `https://app.example/${index}`);
    await postRegistration(world.app, { redirect_uris: uris }).expect(400);
    await postRegistration(world.app, { redirect_uris: uris.slice(1) }).expect(201);
  });

  it('is limited to 30 a minute and 120 an hour of an address', async () => {
    const address = '198.51.100.7';
    const statuses: number[] = [];
    for (let minute = 0; minute < 5; minute += 1) {
      for (let index = 0; index < 31; index += 1) {
        statuses.push((await postRegistration(world.app, {}, address)).status);
      }
      world.passSeconds(61);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(120);
    await postRegistration(world.app, {}, '198.51.100.8').expect(201);
    world.passSeconds(-5 * 61);
  });

  it('is as limited for authorizations, each of which is a row: 120 a minute and 1,200 an hour', async () => {
    const clientId = await register(world.app);
    const { query } = authorizeQuery({ clientId });
    const authorizations = async (address: string, count: number) => {
      const sent = Array.from({ length: count }, () =>
        as(world.app, null).get(`/connect/authorize?${query}`).set('x-client-address', address),
      );
      return (await Promise.all(sent)).filter(({ status }) => status === 303).length;
    };
    const rows = async () =>
      (await world.sql("select from auth.oauth_records where kind = 'Interaction'")).length;
    const before = await rows();
    expect(await authorizations('198.51.100.9', 130)).toBe(120);
    expect((await rows()) - before).toBe(120);
    expect(await authorizations('198.51.100.10', 1)).toBe(1);
    world.passSeconds(61);
    await world.sql(
      `update auth.login_buckets set tries = 1199
        where tries = 120 and forgotten_at > $1::timestamptz + interval '30 minutes'`,
      [world.clock()],
    );
    expect(await authorizations('198.51.100.9', 2)).toBe(1);
    world.passSeconds(-61);
  });

  it('can be turned off, and takes only loopback on an instance without accounts', async () => {
    await postRegistration(world.appWith({ takesRegistrations: false })).expect(404);
    const local = world.appWith({ mode: 'local_trusted' });
    await postRegistration(local).expect(400);
    const onLoopback = { redirect_uris: ['http://localhost:1234/callback'] };
    await postRegistration(local, onLoopback).expect(201);
  });
});

describe('metadata', () => {
  it('is the same in four places, and of the instance whatever host a request names', async () => {
    const places = [
      '/.well-known/oauth-authorization-server/connect',
      '/.well-known/openid-configuration/connect',
      '/connect/.well-known/oauth-authorization-server',
      '/connect/.well-known/openid-configuration',
    ];
    const documents = await Promise.all(
      places.map(async (path) => {
        const response = await as(world.app, null)
          .get(path)
          .set('host', 'evil.example')
          .set('x-forwarded-host', 'evil.example')
          .set('x-forwarded-proto', 'https')
          .expect(200);
        expect(response.headers['cache-control']).toBe('public, max-age=300');
        return response.text;
      }),
    );
    expect(new Set(documents).size).toBe(1);
    expect(JSON.parse(String(documents[0]))).toMatchObject({
      issuer: 'http://localhost/connect',
      authorization_endpoint: 'http://localhost/connect/authorize',
      token_endpoint: 'http://localhost/connect/token',
      registration_endpoint: 'http://localhost/connect/register',
      revocation_endpoint: 'http://localhost/connect/revoke',
      jwks_uri: 'http://localhost/connect/jwks',
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ['notes:read', 'notes:write', 'agents:read'],
    });
    expect(documents[0]).not.toContain('evil.example');
    const { body } = await as(world.app, null)
      .get('/.well-known/oauth-protected-resource/connect/mcp')
      .set('host', 'evil.example')
      .expect(200);
    expect(body).toMatchObject({
      resource: 'http://localhost/connect/mcp',
      authorization_servers: ['http://localhost/connect'],
    });
  });

  it('of /mcp exists where the instance says so, and only then is it a resource', async () => {
    const path = '/.well-known/oauth-protected-resource/mcp';
    await as(world.app, null).get(path).expect(404);
    const both = world.appWith({ isAtMcp: true });
    const { body } = await as(both, null).get(path).expect(200);
    expect(body).toMatchObject({ resource: 'http://localhost/mcp' });
    const clientId = await register(both);
    const begun = await begin(both, { clientId, params: { resource: 'http://localhost/mcp' } });
    const code = String((await consent(both, caller, begun)).searchParams.get('code'));
    const form = { ...codeForm({ clientId, code, begun }), resource: 'http://localhost/mcp' };
    await postToken(both, form).expect(200);
  });

  it('has public keys without their private part', async () => {
    const { body } = await as(world.app, null).get('/connect/jwks').expect(200);
    const { keys } = body as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('a client that nobody used for 30 days', () => {
  it('is forgotten, unless it has a connection', async () => {
    const unused = await register(world.app);
    const { clientId, tokens } = await connect(world.app, caller);
    const days = 31;
    world.passSeconds(days * 86_400);
    await purgeExpired(world.deps);
    const { query } = authorizeQuery({ clientId: unused });
    await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
    await postToken(world.app, refreshForm(clientId, tokens.refresh_token)).expect(200);
    world.passSeconds(-days * 86_400);
  });
});
