import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import type { OperatorCaller } from '@commonplace/identity';
import { as } from '@commonplace/testkit';
import { purgeExpired } from '../../src/commands/purge-expired.ts';
import {
  cookieFor,
  createWorld,
  setCookiesOf,
  withCookie,
  type World,
} from '../support/auth-world.ts';
import {
  approval,
  authorizeQuery,
  begin,
  codeForm,
  decide,
  follow,
  postToken,
  readConsent,
  register,
  type Begun,
} from '../support/oauth-client.ts';

let world: World;
let olga: OperatorCaller;
let otto: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  const signIn = async (email: string) => {
    await world.operator(email);
    return (await withCookie(world.app, await cookieFor(world.app, email))).caller;
  };
  olga = await signIn('olga@example.org');
  otto = await signIn('otto@example.org');
});
afterAll(() => world.close());

const codeOf = (response: { body: unknown }) => (response.body as { code?: string }).code;
const versionOf = async (caller: OperatorCaller, begun: Begun) =>
  ((await readConsent(world.app, caller, begun).expect(200)).body as { version: string }).version;
const started = async () => begin(world.app, { clientId: await register(world.app) });

describe('the consent page', () => {
  it('says who requests access by the host, and that a name is self-given', async () => {
    const clientId = await register(world.app, {
      client_name: 'Claude\u202e by\nAnthropic',
      redirect_uris: ['https://evil.example/callback'],
    });
    const params = { redirect_uri: 'https://evil.example/callback' };
    const begun = await begin(world.app, { clientId, params });
    const { body } = await readConsent(world.app, olga, begun).expect(200);
    expect(body).toMatchObject({
      client: {
        name: 'Claude by Anthropic',
        host: 'evil.example',
        redirectHost: 'evil.example',
        isLoopback: false,
        isNamedByHost: false,
      },
    });
  });

  it.each([
    'http://127.0.0.1:53682/callback',
    'http://[::1]:53682/callback',
    'http://localhost:9/callback',
  ])('warns of an app on this machine, which may use any port: %s', async (uri) => {
    const clientId = await register(world.app, {
      redirect_uris: [uri.replace(/:\d+\//, ':1234/')],
    });
    const begun = await begin(world.app, { clientId, params: { redirect_uri: uri } });
    const { body } = await readConsent(world.app, olga, begun).expect(200);
    expect(body).toMatchObject({ client: { isLoopback: true } });
  });

  it('needs an operator, and the cookie of the browser in which the app began', async () => {
    const begun = await started();
    await as(world.app, null)
      .get(`/connect/consent/${begun.uid}`)
      .set('cookie', begun.cookie)
      .expect(401);
    const other = await started();
    const attempts = [
      '',
      other.cookie,
      begun.cookie.replace(/\.sig=[^;]+/g, '.sig=forged'),
      begun.cookie.replaceAll(begun.uid, other.uid),
      `commonplace.consent=${begun.uid}`,
    ];
    for (const cookie of attempts) {
      const response = await readConsent(world.app, olga, { ...begun, cookie });
      expect([response.status, codeOf(response)]).toEqual([410, 'consent_expired']);
      const decision = approval('x'.repeat(43));
      const decided = await decide(world.app, olga, { ...begun, cookie, decision });
      expect(codeOf(decided)).toBe('consent_expired');
    }
    expect(world.agents.connections.size).toBe(0);
    await readConsent(world.app, olga, begun).expect(200);
  });

  it('belongs to the operator who was shown it first', async () => {
    const begun = await started();
    const version = await versionOf(olga, begun);
    expect(codeOf(await readConsent(world.app, otto, begun).expect(403))).toBe(
      'consent_of_another_operator',
    );
    const decision = approval(version);
    const decided = await decide(world.app, otto, { ...begun, decision }).expect(403);
    expect(codeOf(decided)).toBe('consent_of_another_operator');
    await decide(world.app, olga, { ...begun, decision }).expect(200);
  });

  it('begins again for another operator, with all that the app sent', async () => {
    const clientId = await register(world.app);
    const begun = await begin(world.app, { clientId });
    const { body } = await readConsent(world.app, olga, begun).expect(200);
    const { restart } = body as { restart: string };
    const again = await as(world.app, null).get(restart).expect(303);
    const [, uid = ''] =
      /^\/connect\/consent\/([\w-]+)$/.exec(again.headers['location'] ?? '') ?? [];
    expect(uid).not.toBe(begun.uid);
    const cookie = setCookiesOf(again)
      .map((each) => each.split(';')[0])
      .join('; ');
    const next = { ...begun, uid, cookie };
    const decision = approval(await versionOf(otto, next));
    const decided = await decide(world.app, otto, { ...next, decision }).expect(200);
    const { location } = decided.body as { location: string };
    const back = await follow(world.app, next, location);
    expect(back.searchParams.get('state')).toBe(begun.state);
    const code = back.searchParams.get('code') ?? '';
    await postToken(world.app, codeForm({ clientId, code, begun })).expect(200);
  });

  it('is decided once', async () => {
    const begun = await started();
    const decision = approval(await versionOf(olga, begun));
    const before = world.agents.connections.size;
    const responses = await Promise.all(
      [1, 2, 3].map(() => decide(world.app, olga, { ...begun, decision })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 410, 410]);
    expect(world.agents.connections.size).toBe(before + 1);
  });

  it('approves only what was shown', async () => {
    const begun = await started();
    const version = await versionOf(olga, begun);
    const stale = await decide(world.app, olga, { ...begun, decision: approval('x'.repeat(43)) });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'consent_changed']);
    const more = approval(version, { scopes: ['notes:read', 'agents:read'] });
    const wider = await decide(world.app, olga, { ...begun, decision: more });
    expect([wider.status, codeOf(wider)]).toEqual([409, 'consent_changed']);
    const past = approval(version, { expiresAt: '2020-01-01T00:00:00.000Z' });
    await decide(world.app, olga, { ...begun, decision: past }).expect(400);
    await decide(world.app, olga, { ...begun, decision: approval(version) }).expect(200);
  });

  it('passes on the folders that were chosen, and without a choice none', async () => {
    const grants = [{ folder: 'sales', scope: 'read' }];
    for (const [chosen, expected] of [
      [{ grants }, [{ folder: 'sales', scope: 'read', mode: 'direct' }]],
      [{ grants: null }, undefined],
      [{}, undefined],
    ]) {
      const begun = await started();
      const decision = approval(await versionOf(olga, begun), chosen as Record<string, unknown>);
      await decide(world.app, olga, { ...begun, decision }).expect(200);
      const [last] = [...world.agents.connections.values()].slice(-1);
      expect(last?.request).toMatchObject(expected ? { grants: expected } : {});
      expect(JSON.stringify(last?.request).includes('grants')).toBe(expected !== undefined);
    }
    const begun = await started();
    const unknown = { grants: [{ folder: 'a//b', scope: 'read' }] };
    const decision = approval(await versionOf(olga, begun), unknown);
    await decide(world.app, olga, { ...begun, decision }).expect(400);
  });

  it('expires after an hour, and is gone after the way back', async () => {
    const begun = await started();
    const version = await versionOf(olga, begun);
    world.passSeconds(3_601);
    const late = await decide(world.app, olga, { ...begun, decision: approval(version) });
    expect(codeOf(late)).toBe('consent_expired');
    world.passSeconds(-3_601);
    const { body } = await decide(world.app, olga, { ...begun, decision: approval(version) });
    await follow(world.app, begun, (body as { location: string }).location);
    expect(codeOf(await readConsent(world.app, olga, begun).expect(410))).toBe('consent_expired');
    const again = await as(world.app, null)
      .get(`/connect/authorize/${begun.uid}`)
      .set('cookie', begun.cookie);
    expect(again.headers['location']).toBeUndefined();
  });

  it.each([
    ['a blank', `${'x'.repeat(99)} y`, 'x'.repeat(99)],
    ['a character of two units', `${'x'.repeat(99)}😀y`, `${'x'.repeat(99)}😀`],
  ])('cuts a long name before or behind %s, and connects its app', async (_what, long, name) => {
    const begun = await begin(world.app, {
      clientId: await register(world.app, { client_name: long }),
    });
    const { body } = await readConsent(world.app, olga, begun).expect(200);
    const shown = body as { client: { name: string }; version: string };
    expect(shown.client.name).toBe(name);
    await decide(world.app, olga, { ...begun, decision: approval(shown.version) }).expect(200);
  });

  it('can be repeated after the agents service was unavailable', async () => {
    const begun = await started();
    const decision = approval(await versionOf(olga, begun));
    world.agents.state.isUnavailable = true;
    await decide(world.app, olga, { ...begun, decision }).expect(503);
    world.agents.state.isUnavailable = false;
    await decide(world.app, olga, { ...begun, decision }).expect(200);
  });

  it('makes one connection if its response is lost, and another one for another choice', async () => {
    const begun = await started();
    const version = await versionOf(olga, begun);
    const before = world.agents.connections.size;
    world.agents.state.losesResponses = true;
    const companyId = newId();
    const first = approval(version, { companyId, expiresAt: '2100-01-01T00:00:00.000Z' });
    await decide(world.app, olga, { ...begun, decision: first }).expect(503);
    const other = approval(version, { companyId, scopes: ['notes:read'] });
    await decide(world.app, olga, { ...begun, decision: other }).expect(503);
    const endless = approval(version, { companyId, expiresAt: null });
    await decide(world.app, olga, { ...begun, decision: endless }).expect(503);
    world.agents.state.losesResponses = false;
    const later = approval(version, { companyId, expiresAt: '2100-01-01T00:00:01.000Z' });
    await decide(world.app, olga, { ...begun, decision: later }).expect(200);
    const made = [...world.agents.connections.values()].slice(before);
    expect(made.map(({ request }) => (request as { expiresAt: unknown }).expiresAt)).toEqual([
      first['expiresAt'],
      other['expiresAt'],
      null,
    ]);
  });
});

it('a client is forgotten once its tokens are over, also if its connection has no end', async () => {
  const clientId = await register(world.app);
  const begun = await begin(world.app, { clientId });
  const decision = approval(await versionOf(olga, begun), { expiresAt: null });
  const { body } = await decide(world.app, olga, { ...begun, decision }).expect(200);
  const back = await follow(world.app, begun, (body as { location: string }).location);
  const code = String(back.searchParams.get('code'));
  await postToken(world.app, codeForm({ clientId, code, begun })).expect(200);
  const days = 61;
  world.passSeconds(days * 86_400);
  await purgeExpired(world.deps);
  const { query } = authorizeQuery({ clientId });
  await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
  world.passSeconds(-days * 86_400);
});

describe('the way back', () => {
  it('leads nowhere without a decision, or with the cookies of another browser', async () => {
    const begun = await started();
    const undecided = await as(world.app, null)
      .get(`/connect/authorize/${begun.uid}`)
      .set('cookie', begun.cookie)
      .expect(303);
    expect(String(undecided.headers['location'])).toMatch(/^\/connect\/consent\//);
    const decided = await started();
    const decision = approval(await versionOf(olga, decided));
    await decide(world.app, olga, { ...decided, decision }).expect(200);
    const attacker = await started();
    const stolen = await as(world.app, null)
      .get(`/connect/authorize/${decided.uid}`)
      .set('cookie', attacker.cookie);
    expect(stolen.headers['location'] ?? '').not.toContain('code=');
  });

  it('sets cookies of the attempt only, for its own paths', async () => {
    const clientId = await register(world.app);
    const { query } = authorizeQuery({ clientId });
    const response = await as(world.app, null).get(`/connect/authorize?${query}`).expect(303);
    const names = setCookiesOf(response).map((cookie) => cookie.slice(0, cookie.indexOf('=')));
    expect(names.toSorted()).toEqual([
      'commonplace.connect',
      'commonplace.connect.sig',
      'commonplace.consent',
      'commonplace.consent.sig',
    ]);
    for (const cookie of setCookiesOf(response)) {
      expect(cookie).toMatch(/path=\/connect\/(?:consent|authorize)\/[\w-]+;/i);
      expect(cookie).toMatch(/httponly/i);
      expect(cookie).toMatch(/samesite=lax/i);
    }
    const secure = world.appWith({ isHttps: true });
    const there = authorizeQuery({
      clientId,
      params: { resource: 'https://notes.example.org/connect/mcp' },
    });
    const secured = await as(secure, null).get(`/connect/authorize?${there.query}`).expect(303);
    for (const cookie of setCookiesOf(secured)) {
      expect(cookie).toMatch(/^__Secure-commonplace\./);
      expect(cookie).toMatch(/; ?secure/i);
    }
  });
});

describe('the redirect URI', () => {
  it.each([
    'https://app.example/callback/',
    'https://app.example/Callback',
    'https://app.example/callback/../callback',
    'https://app.example/callback?x=1',
    'https://app.example/callback#x',
    'https://user@app.example/callback',
    'https://app.example:8443/callback',
    'https://APP.example/callback',
    'http://app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example%2eevil.example/callback',
    'https://evil.example',
  ])('must be the registered one, character by character: %s', async (redirect) => {
    const clientId = await register(world.app);
    const { query } = authorizeQuery({ clientId, params: { redirect_uri: redirect } });
    const response = await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
    expect(response.headers['location']).toBeUndefined();
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.text).not.toContain('<script');
  });

  it('of an app on this machine differs by its port only', async () => {
    const clientId = await register(world.app, {
      redirect_uris: ['http://127.0.0.1:1234/callback'],
    });
    for (const redirect of [
      'http://localhost:1234/callback',
      'http://127.0.0.1:1234/other',
      'http://127.0.0.1.evil.example:1234/callback',
      'http://127.0.0.1:1234@evil.example/callback',
      'https://127.0.0.1:1234/callback',
    ]) {
      const { query } = authorizeQuery({ clientId, params: { redirect_uri: redirect } });
      await as(world.app, null).get(`/connect/authorize?${query}`).expect(400);
    }
  });
});
