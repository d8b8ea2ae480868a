import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, localOperatorCaller } from '@commonplace/testkit';
import { Secret, TOTP } from 'otpauth';
import { resealFactors } from '../../src/commands/reseal-factors.ts';
import {
  cookieFor,
  cookieOf,
  createWorld,
  logIn,
  password,
  secondFactorSecret,
  setCookiesOf,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const loginPath = '/api/auth/login/second-factor';
const newSecret = 'test-only-another-second-factor-secret';

/** The other side's app: it knows the secret and the time. */
const codeAt = (secret: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: world.clock().getTime() + stepsLater * 30_000,
  });

const signedIn = async (email: string) => {
  await world.operator(email);
  const cookie = await cookieFor(world.app, email);
  return { email, cookie, ...(await withCookie(world.app, cookie)) };
};

/** An operator with an authenticator app. The clock moves on, so that the next code is new. */
const enrolled = async (email: string) => {
  const operator = await signedIn(email);
  const begun = await operator.call.post('/api/auth/totp').expect(200);
  const { secret } = begun.body as { secret: string };
  const confirmed = await operator.call
    .post('/api/auth/totp/confirm')
    .send({ code: codeAt(secret) })
    .expect(200);
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] };
  world.passSeconds(60);
  return { ...operator, secret, recoveryCodes };
};

const challengeFor = async (email: string, address = '192.0.2.1'): Promise<string> => {
  const response = await logIn(world.app, { email, password }, address);
  expect(response.body).toMatchObject({ status: 401, code: 'second_factor_required' });
  expect(cookieOf(response)).toBeUndefined();
  return (response.body as { challenge: string }).challenge;
};

/** Signs in with both factors. */
const logInFully = async (email: string, secret: string) =>
  complete({ challenge: await challengeFor(email), code: codeAt(secret) }).expect(200);

/** The cookie by which a browser is known. */
const deviceCookieOf = (response: Parameters<typeof setCookiesOf>[0]): string =>
  setCookiesOf(response)
    .map((cookie) => cookie.split(';')[0] ?? '')
    .find((pair) => pair.startsWith('commonplace.device=')) ?? '';

const complete = (body: object, address = '192.0.2.1', app = world.app) =>
  as(app, null).post(loginPath).set('x-client-address', address).send(body);

describe('enrolment', () => {
  it('returns a secret, its URI and a QR code, and changes nothing before it is confirmed', async () => {
    const { call, email } = await signedIn('begun@example.org');
    const { body } = await call.post('/api/auth/totp').expect(200);
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining('otpauth://totp/Commonplace:begun%40example.org'),
      qr: expect.stringContaining('<svg'),
    });
    await logIn(world.app, { email, password }).expect(200);
    expect((await call.get('/api/auth/factors')).body).toMatchObject({ totp: null });
  });

  it('stores neither the secret nor the recovery codes in clear', async () => {
    const { secret, recoveryCodes } = await enrolled('sealed@example.org');
    const rows = JSON.stringify([
      await world.sql('select * from auth.totp_factors'),
      await world.sql('select * from auth.recovery_codes'),
    ]);
    const { bytes } = Secret.fromBase32(secret);
    for (const text of [secret, ...recoveryCodes, Buffer.from(bytes).toString('base64url')]) {
      expect(rows).not.toContain(text);
      expect(rows).not.toContain(text.replaceAll('-', ''));
    }
  });

  it('ends the other sessions, returns ten recovery codes once, and is 409 afterwards', async () => {
    const { call, email, cookie } = await signedIn('others@example.org');
    const other = await cookieFor(world.app, email);
    const { secret } = (await call.post('/api/auth/totp')).body as { secret: string };
    const response = await call.post('/api/auth/totp/confirm').send({ code: codeAt(secret) });
    expect((response.body as { recoveryCodes: string[] }).recoveryCodes).toHaveLength(10);
    expect(await verify(world.app, cookie)).not.toBeNull();
    expect(await verify(world.app, other)).toBeNull();
    for (const again of [
      call.post('/api/auth/totp'),
      call.post('/api/auth/totp/confirm').send({ code: codeAt(secret, 1) }),
    ]) {
      expect((await again).body).toMatchObject({ status: 409, code: 'second_factor_exists' });
    }
    const factors = await call.get('/api/auth/factors').expect(200);
    expect(factors.body).toMatchObject({ totp: { recoveryCodesLeft: 10 }, passkeys: 0 });
  });

  it('is 401 for a wrong code, 404 before it has begun, 400 for what is no code', async () => {
    const { call } = await signedIn('wrong-code@example.org');
    const confirm = (code: unknown) => call.post('/api/auth/totp/confirm').send({ code });
    await confirm('123456').expect(404);
    const { secret } = (await call.post('/api/auth/totp')).body as { secret: string };
    const wrong = await confirm(codeAt(secret, 20));
    expect(wrong.body).toMatchObject({ status: 401, code: 'invalid_code' });
    await confirm('12345').expect(400);
    await confirm(123456).expect(400);
    await confirm(`${codeAt(secret).slice(0, 3)} ${codeAt(secret).slice(3)}`).expect(200);
  });

  it('needs a sign-in of the last 15 minutes, as removing it does', async () => {
    const { call } = await signedIn('stale@example.org');
    world.passSeconds(16 * 60);
    for (const request of [
      call.post('/api/auth/totp'),
      call.post('/api/auth/totp/confirm').send({ code: '123456' }),
      call.delete('/api/auth/totp'),
    ]) {
      expect((await request).body).toMatchObject({ code: 'reauthentication_required' });
    }
  });

  it('is 409 without SECOND_FACTOR_SECRETS, and for the local board operator', async () => {
    const { caller } = await signedIn('unconfigured@example.org');
    const { createApp } = await import('../../src/app.ts');
    const { testIdentity } = await import('@commonplace/testkit');
    const { verifyIdentity } = testIdentity;
    const app = createApp({ ...world.deps, secretBox: null, verifyIdentity });
    const response = await as(app, caller).post('/api/auth/totp');
    expect(response.body).toMatchObject({ status: 409, code: 'second_factor_not_configured' });
    const local = world.appWith({ mode: 'local_trusted' });
    await as(local, localOperatorCaller()).post('/api/auth/totp').expect(409);
  });
});

describe('signing in with an authenticator app', () => {
  it('needs the password and a code', async () => {
    const { email, secret } = await enrolled('both@example.org');
    const challenge = await challengeFor(email);
    const response = await complete({ challenge, code: codeAt(secret) }).expect(200);
    expect(await verify(world.app, cookieOf(response) ?? '')).not.toBeNull();
    const history = await world.sql(
      'select method, outcome from auth.sign_ins where email = $1 order by id',
      [email],
    );
    expect(history).toEqual([
      { method: 'password', outcome: 'success' },
      { method: 'totp', outcome: 'success' },
    ]);
  });

  it('says nothing about the factor to a wrong password', async () => {
    const { email } = await enrolled('silent@example.org');
    await world.operator('plain@example.org');
    const bodies = [email, 'plain@example.org', 'nobody@example.org'].map(async (each) => {
      const { body } = await logIn(world.app, { email: each, password: 'wrong' }, '192.0.2.77');
      const { requestId: _requestId, ...rest } = body as Record<string, unknown>;
      return rest;
    });
    const [first, ...others] = await Promise.all(bodies);
    expect(others).toEqual([first, first]);
  });

  it('accepts a code once, even when it is sent ten times at once', async () => {
    const { email, secret } = await enrolled('race@example.org');
    const challenges = [];
    for (let count = 0; count < 10; count += 1) {
      challenges.push(await challengeFor(email, `198.51.100.${count}`));
    }
    const code = codeAt(secret);
    const responses = await Promise.all(
      challenges.map((challenge, index) => complete({ challenge, code }, `198.51.100.${index}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const challenge = await challengeFor(email);
    const again = await complete({ challenge, code });
    expect(again.body).toMatchObject({ status: 401, code: 'invalid_code' });
    const earlier = await complete({ challenge, code: codeAt(secret, -1) });
    expect(earlier.body).toMatchObject({ status: 401, code: 'invalid_code' });
  });

  it('accepts a challenge once, for five minutes, and from one network', async () => {
    const { email, secret } = await enrolled('challenge@example.org');
    const expired = { status: 401, code: 'challenge_expired' };
    const challenge = await challengeFor(email);
    const elsewhere = await complete({ challenge, code: codeAt(secret) }, '203.0.113.9');
    expect(elsewhere.body).toMatchObject(expired);
    await complete({ challenge, code: codeAt(secret) }).expect(200);
    world.passSeconds(60);
    const used = await complete({ challenge, code: codeAt(secret) });
    expect(used.body).toMatchObject(expired);
    const late = await challengeFor(email);
    world.passSeconds(5 * 60);
    expect((await complete({ challenge: late, code: codeAt(secret) })).body).toMatchObject(expired);
    const unknown = await complete({ challenge: 'x'.repeat(43), code: codeAt(secret) });
    expect(unknown.body).toMatchObject(expired);
  });

  it('throttles wrong codes over all challenges, whatever the password did', async () => {
    const { email, secret } = await enrolled('throttled@example.org');
    for (let count = 0; count < 5; count += 1) {
      const challenge = await challengeFor(email);
      await complete({ challenge, code: codeAt(secret, 20) }).expect(401);
    }
    const challenge = await challengeFor(email);
    const throttled = await complete({ challenge, code: codeAt(secret) });
    expect(throttled.body).toMatchObject({ status: 429, code: 'login_throttled' });
    expect(throttled.headers['retry-after']).toBeDefined();
  });

  it('allows thirty challenges that are over or invented a minute from one address, on any replica', async () => {
    const replicas = [world.app, world.appWith()];
    const statuses = [];
    for (let count = 0; count < 32; count += 1) {
      const body = { challenge: `${count}`.padEnd(43, 'x'), code: '123456' };
      statuses.push((await complete(body, '192.0.2.99', replicas[count % 2])).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429]);
    const { email, secret } = await enrolled('unaffected@example.org');
    const challenge = await challengeFor(email);
    await complete({ challenge, code: codeAt(secret) }).expect(200);
  });

  it('allows twenty wrong codes an hour for one account, from any addresses', async () => {
    const { email, secret } = await enrolled('spread@example.org');
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      const address = `203.0.113.${count}`;
      const challenge = await challengeFor(email, address);
      statuses.push((await complete({ challenge, code: codeAt(secret, 20) }, address)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
  });

  it('begins again when the password or the app changed in between, and uses up no code for that', async () => {
    const { email, secret, recoveryCodes } = await enrolled('changed@example.org');
    const [challenge, recoveryCode] = [await challengeFor(email), recoveryCodes[0]];
    const changed = 'update auth.operators set session_epoch = session_epoch + 1 where email = $1';
    await world.sql(changed, [email]);
    const expired = { status: 401, code: 'challenge_expired' };
    expect((await complete({ challenge, code: codeAt(secret) })).body).toMatchObject(expired);
    expect((await complete({ challenge, recoveryCode })).body).toMatchObject(expired);
    await complete({ challenge: await challengeFor(email), code: codeAt(secret) }).expect(200);
    const signedIn = await complete({ challenge: await challengeFor(email), recoveryCode });
    const { call } = await withCookie(world.app, cookieOf(signedIn) ?? '');
    const kept = await challengeFor(email);
    await call.delete('/api/auth/totp').expect(204);
    expect((await complete({ challenge: kept, code: codeAt(secret, 2) })).body).toMatchObject(
      expired,
    );
  });

  it('accepts each recovery code once, however it is written', async () => {
    const { email, recoveryCodes } = await enrolled('recovery@example.org');
    const [first = '', second = ''] = recoveryCodes;
    const use = async (recoveryCode: string) =>
      complete({ challenge: await challengeFor(email), recoveryCode });
    const response = await use(first.toUpperCase().replaceAll('-', ' '));
    expect(response.status).toBe(200);
    expect((await use(first)).body).toMatchObject({ status: 401, code: 'invalid_code' });
    const { call } = await withCookie(world.app, cookieOf(await use(second)) ?? '');
    expect((await call.get('/api/auth/factors')).body).toMatchObject({
      totp: { recoveryCodesLeft: 8 },
      hasPassword: true,
    });
  });

  it('400 for both codes or none', async () => {
    const { email, secret, recoveryCodes } = await enrolled('neither@example.org');
    const challenge = await challengeFor(email);
    await complete({ challenge }).expect(400);
    const both = { challenge, code: codeAt(secret), recoveryCode: recoveryCodes[0] };
    await complete(both).expect(400);
  });
});

describe('a stolen password that the second factor stops', () => {
  /** Uses up the codes of an account: twenty wrong ones, each from an address of its own. */
  const useUp = async (email: string, secret: string) => {
    for (let count = 0; count < 20; count += 1) {
      const address = `203.0.113.${count}`;
      const challenge = await challengeFor(email, address);
      await complete({ challenge, code: codeAt(secret, 20) }, address).expect(401);
    }
  };

  it('locks neither a browser that signed in before, nor recovery codes; who has no such browser waits', async () => {
    const { email, secret, recoveryCodes } = await enrolled('victim@example.org');
    const device = deviceCookieOf(await logInFully(email, secret));
    world.passSeconds(60);
    await useUp(email, secret);
    const replica = world.appWith();
    const elsewhere = await challengeFor(email, '198.51.100.9');
    const locked = await complete({ challenge: elsewhere, code: codeAt(secret) }, '198.51.100.9');
    expect(locked.body).toMatchObject({ status: 429, code: 'login_throttled' });
    const recovery = { challenge: elsewhere, recoveryCode: recoveryCodes[0] };
    await complete(recovery, '198.51.100.9', replica).expect(200);
    const challenge = await challengeFor(email, '198.51.100.10');
    await complete({ challenge, code: codeAt(secret) }, '198.51.100.10', replica)
      .set('cookie', device)
      .expect(200);
  });

  it('gives a browser that signed in as somebody else no share', async () => {
    const { email, secret } = await enrolled('not-mine@example.org');
    await world.operator('neighbour@example.org');
    const body = { email: 'neighbour@example.org', password };
    const device = deviceCookieOf(await logIn(world.app, body).expect(200));
    await useUp(email, secret);
    const challenge = await challengeFor(email, '198.51.100.11');
    await complete({ challenge, code: codeAt(secret) }, '198.51.100.11')
      .set('cookie', device)
      .expect(429);
  });

  it('does not end the challenge of the owner with ten sign-ins from elsewhere', async () => {
    const { email, secret } = await enrolled('challenged@example.org');
    const challenge = await challengeFor(email);
    for (let count = 0; count < 12; count += 1) {
      await challengeFor(email, '203.0.113.77');
    }
    await complete({ challenge, code: codeAt(secret) }).expect(200);
    const rows = await world.sql(
      `select from auth.sign_in_challenges c join auth.operators o on o.id = c.operator_id
        where o.email = $1`,
      [email],
    );
    expect(rows).toHaveLength(10);
  });

  it('uses up nothing of the password of a browser that signed in before', async () => {
    const email = 'guessed@example.org';
    await world.operator(email);
    const device = deviceCookieOf(await logIn(world.app, { email, password }).expect(200));
    for (let count = 0; count < 6; count += 1) {
      await logIn(world.app, { email, password: 'wrong' });
    }
    await logIn(world.app, { email, password }).expect(429);
    await logIn(world.app, { email, password }).set('cookie', device).expect(200);
    for (let count = 0; count < 5; count += 1) {
      await logIn(world.app, { email, password: 'wrong' }).set('cookie', device).expect(401);
    }
    await logIn(world.app, { email, password }).set('cookie', device).expect(429);
  });
});

describe('confirming with an authenticator app', () => {
  it('needs the code beside the password', async () => {
    const { call, secret } = await enrolled('confirm@example.org');
    const path = '/api/auth/reauthenticate';
    const alone = await call.post(path).send({ password });
    expect(alone.body).toMatchObject({ status: 401, code: 'second_factor_required' });
    expect(alone.body).not.toHaveProperty('challenge');
    await call
      .post(path)
      .send({ password, code: codeAt(secret) })
      .expect(204);
    await call
      .post(path)
      .send({ password, code: codeAt(secret) })
      .expect(401);
    await call
      .post(path)
      .send({ code: codeAt(secret) })
      .expect(400);
  });
});

describe('removing it', () => {
  it('makes the password enough again, and ends the other sessions', async () => {
    const { call, cookie, email, secret } = await enrolled('removed@example.org');
    const challenge = await challengeFor(email);
    const other = cookieOf(await complete({ challenge, code: codeAt(secret) })) ?? '';
    await call.delete('/api/auth/totp').expect(204);
    expect(await verify(world.app, other)).toBeNull();
    expect(await verify(world.app, cookie)).not.toBeNull();
    await logIn(world.app, { email, password }).expect(200);
    expect(
      await world.sql(
        'select from auth.recovery_codes c join auth.operators o on o.id = c.operator_id where email = $1',
        [email],
      ),
    ).toEqual([]);
  });
});

describe('REQUIRE_SECOND_FACTOR', () => {
  it('marks the sessions of operators without one, until they set one up', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const { call, cookie } = await signedIn('required@example.org');
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
    expect(await verify(world.app, cookie)).not.toHaveProperty('mustEnrol');
    const { secret } = (await call.post('/api/auth/totp')).body as { secret: string };
    await call
      .post('/api/auth/totp/confirm')
      .send({ code: codeAt(secret) })
      .expect(200);
    expect(await verify(app, cookie)).not.toHaveProperty('mustEnrol');
    await call.delete('/api/auth/totp').expect(204);
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
  });
});

describe('a session that lost its second factor, of an account with an authenticator app', () => {
  const provider = 'https://provider.example';

  /** Makes a session one of a passkey or of an identity, as a sign-in with it does. */
  const restOn = async (
    kind: 'passkey' | 'identity',
    sessionId: string | null,
  ): Promise<string> => {
    const added =
      kind === 'passkey'
        ? `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                      transports, name, created_at)
           select gen_random_uuid(), operator_id, gen_random_uuid()::text, '', 0, false, '{}', 'Key', now()
             from auth.sessions where id = $1 returning id`
        : `insert into auth.identities (id, operator_id, issuer, subject, created_at)
           select gen_random_uuid(), operator_id, '${provider}', gen_random_uuid()::text, now()
             from auth.sessions where id = $1 returning id`;
    const [row] = await world.sql(added, [sessionId]);
    const method = kind === 'passkey' ? 'passkey' : 'oidc';
    await world.sql(`update auth.sessions set sign_in_method = $2, ${kind}_id = $3 where id = $1`, [
      sessionId,
      method,
      row?.['id'],
    ]);
    return String(row?.['id']);
  };

  it.each([
    ['passkey', '/api/auth/passkeys'],
    ['identity', '/api/auth/identities'],
  ] as const)(
    'with its %s: may neither work nor remove the app, until it is confirmed with a code',
    async (kind, path) => {
      const app = world.appWith({ requiresSecondFactor: true });
      const { email, secret, cookie, caller } = await enrolled(`lost-${kind}@example.org`);
      const id = await restOn(kind, caller.sessionId);
      const { call } = await withCookie(app, cookie);
      expect(await verify(app, cookie)).not.toHaveProperty('mustEnrol');
      await call.delete(`${path}/${id}`).expect(204);
      expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
      const { items } = (await call.get('/api/auth/sessions')).body as { items: object[] };
      expect(items).toMatchObject([{ signInMethod: 'password' }]);
      const refused = await call.delete('/api/auth/totp');
      expect(refused.body).toMatchObject({ status: 403, code: 'reauthentication_required' });
      const confirmed = await call
        .post('/api/auth/reauthenticate')
        .send({ password, code: codeAt(secret) })
        .expect(204);
      const next = cookieOf(confirmed) ?? '';
      expect(await verify(app, next)).not.toHaveProperty('mustEnrol');
      await (await withCookie(app, next)).call.delete('/api/auth/totp').expect(204);
      await logIn(world.app, { email, password }).expect(200);
    },
  );

  it('is one of two factors again once it has set up another app', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const { cookie, caller } = await signedIn('lost-and-enrols@example.org');
    const id = await restOn('passkey', caller.sessionId);
    const { call } = await withCookie(app, cookie);
    await call.delete(`/api/auth/passkeys/${id}`).expect(204);
    const { secret } = (await call.post('/api/auth/totp').expect(200)).body as { secret: string };
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
    const confirmed = await call
      .post('/api/auth/totp/confirm')
      .send({ code: codeAt(secret) })
      .expect(200);
    expect(await verify(app, cookieOf(confirmed) ?? '')).not.toHaveProperty('mustEnrol');
  });
});

describe('rotating SECOND_FACTOR_SECRETS', () => {
  it('encrypts every secret again, so that the former one can be removed', async () => {
    const { email, secret } = await enrolled('rotated@example.org');
    const both = world.depsWith({ secondFactorSecrets: [newSecret, secondFactorSecret] });
    await resealFactors(both);
    const [row] = await world.sql(
      'select key_id from auth.totp_factors f join auth.operators o on o.id = f.operator_id where email = $1',
      [email],
    );
    expect(row).toEqual({ key_id: both.secretBox?.currentKeyId });
    const app = world.appWith({ secondFactorSecrets: [newSecret] });
    const challenge = await challengeFor(email);
    await complete({ challenge, code: codeAt(secret) }, '192.0.2.1', app).expect(200);
    await resealFactors(world.depsWith({ secondFactorSecrets: [secondFactorSecret, newSecret] }));
  });

  it('encrypts in one pass also what comes after 1,000 secrets that no key opens', async () => {
    await world.sql(
      `with made as (
         insert into auth.operators (id, email, name, password_hash, pepper_id, is_admin, created_at)
         select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'lost' || n || '@example.org', 'Lost', '', '', false, now()
         from generate_series(1, 1001) n
         returning id
       )
       insert into auth.totp_factors (operator_id, sealed_secret, key_id, created_at)
       select id, 'lost', 'lost', now() from made`,
    );
    const { email } = await enrolled('behind-them@example.org');
    const both = world.depsWith({ secondFactorSecrets: [newSecret, secondFactorSecret] });
    await resealFactors(both);
    const rows = await world.sql(
      'select key_id from auth.totp_factors f join auth.operators o on o.id = f.operator_id where email = $1',
      [email],
    );
    expect(rows).toEqual([{ key_id: both.secretBox?.currentKeyId }]);
    await resealFactors(world.depsWith({ secondFactorSecrets: [secondFactorSecret, newSecret] }));
  });

  it('accepts no code without the secret it was encrypted under, and still the recovery codes', async () => {
    const { email, secret, recoveryCodes } = await enrolled('lost-key@example.org');
    const app = world.appWith({ secondFactorSecrets: [newSecret] });
    const challenge = await challengeFor(email);
    await complete({ challenge, code: codeAt(secret) }, '192.0.2.1', app).expect(401);
    const body = { challenge, recoveryCode: recoveryCodes[0] };
    await complete(body, '192.0.2.1', app).expect(200);
  });
});
