import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { as, localOperatorCaller } from '@commonplace/testkit';
import {
  cookieFor,
  cookieOf,
  createWorld,
  password,
  verify,
  withCookie,
  type World,
} from '../support/auth-world.ts';
import { createAuthenticator, type Claims } from '@commonplace/testkit/authenticator';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

type Options = { readonly options: Record<string, unknown> & { readonly challenge: string } };
const invalid = { status: 401, code: 'invalid_passkey' };
const addressOf = (email: string) => `address of ${email}`.slice(0, 64);

const signedIn = async (email: string) => {
  const { id } = await world.operator(email);
  const address = addressOf(email);
  const cookie = await cookieFor(world.app, email, address);
  const { caller, call: request } = await withCookie(world.app, cookie);
  const post = (path: string, body: object = {}) =>
    request.post(path).set('x-client-address', address).send(body);
  return { id, email, cookie, caller, call: request, post };
};

type SignedIn = Awaited<ReturnType<typeof signedIn>>;

/** Adds a passkey, and returns the device that has it. */
const addPasskey = async ({ post }: Pick<SignedIn, 'post'>, claims: Claims = {}) => {
  const device = createAuthenticator();
  const begun = await post('/api/auth/passkeys/options').expect(200);
  const response = device.register((begun.body as Options).options.challenge, claims);
  const made = await post('/api/auth/passkeys', { name: 'Laptop', response }).expect(201);
  return { device, passkey: made.body as { id: string } };
};

/** An operator with a passkey, and the device that has it. */
const withPasskey = async (email: string, claims: Claims = {}) => {
  const operator = await signedIn(email);
  return { ...operator, ...(await addPasskey(operator, claims)) };
};

const begin = async (address: string): Promise<string> => {
  const response = await as(world.app, null)
    .post('/api/auth/login/passkey/options')
    .set('x-client-address', address)
    .expect(200);
  return (response.body as Options).options.challenge;
};

const complete = (address: string, response: object) =>
  as(world.app, null)
    .post('/api/auth/login/passkey')
    .set('x-client-address', address)
    .send({ response });

describe('adding a passkey', () => {
  it('requires one that can be discovered and verifies its user', async () => {
    const { post } = await signedIn('options@example.org');
    const { body } = await post('/api/auth/passkeys/options').expect(200);
    expect((body as Options).options).toMatchObject({
      rp: { name: 'Commonplace', id: 'localhost' },
      user: { name: 'options@example.org', displayName: 'Olga' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it('lists, renames and removes it', async () => {
    const { call, passkey } = await withPasskey('listed@example.org', { isBackedUp: true });
    const path = `/api/auth/passkeys/${passkey.id}`;
    const [first] = ((await call.get('/api/auth/passkeys')).body as { items: object[] }).items;
    expect(first).toEqual({
      id: passkey.id,
      name: 'Laptop',
      createdAt: expect.any(String),
      lastUsedAt: null,
      isBackedUp: true,
    });
    const renamed = await call.patch(path).send({ name: 'Phone' }).expect(200);
    expect(renamed.body).toMatchObject({ name: 'Phone' });
    await call.delete(path).expect(204);
    await call.delete(path).expect(404);
    expect((await call.get('/api/auth/passkeys')).body).toEqual({ items: [] });
  });

  it.each([
    ['of another origin', { origin: 'http://evil.example' }],
    ['of another site', { rpId: 'evil.example' }],
    ['that did not verify its user', { isUserVerified: false }],
  ] as const)('refuses one %s', async (what, claims) => {
    const { post } = await signedIn(`${what.replaceAll(' ', '-')}@example.org`);
    const begun = await post('/api/auth/passkeys/options').expect(200);
    const { challenge } = (begun.body as Options).options;
    const response = createAuthenticator().register(challenge, claims);
    const refused = await post('/api/auth/passkeys', { name: 'x', response });
    expect(refused.body).toMatchObject(invalid);
  });

  it('uses a challenge once, and only for the operator who began it', async () => {
    const owner = await signedIn('owner-of-challenge@example.org');
    const other = await signedIn('other-of-challenge@example.org');
    const begun = await owner.post('/api/auth/passkeys/options');
    const { challenge } = (begun.body as Options).options;
    const stolen = await as(world.app, other.caller)
      .post('/api/auth/passkeys')
      .set('x-client-address', addressOf(owner.email))
      .send({ name: 'x', response: createAuthenticator().register(challenge) });
    expect(stolen.body).toMatchObject(invalid);
    const response = createAuthenticator().register(challenge);
    const again = await owner.post('/api/auth/passkeys', { name: 'x', response });
    expect(again.body).toMatchObject({ status: 401, code: 'challenge_expired' });
  });

  it('needs a sign-in of the last 15 minutes, as removing does; at most 20', async () => {
    const { call, id, post, passkey } = await withPasskey('limits@example.org');
    await world.sql(
      `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                  transports, name, created_at)
       select gen_random_uuid(), $1, gen_random_uuid()::text, '', 0, false, '{}', 'more', now()
         from generate_series(1, 19)`,
      [id],
    );
    const full = await post('/api/auth/passkeys/options');
    expect(full.body).toMatchObject({ status: 409, code: 'passkey_limit' });
    world.passSeconds(16 * 60);
    for (const request of [
      post('/api/auth/passkeys/options'),
      call.delete(`/api/auth/passkeys/${passkey.id}`),
    ]) {
      expect((await request).body).toMatchObject({ code: 'reauthentication_required' });
    }
  });

  it('is no business of other operators', async () => {
    const { passkey } = await withPasskey('private@example.org');
    const { call } = await signedIn('curious@example.org');
    for (const id of [passkey.id, newId()]) {
      await call.delete(`/api/auth/passkeys/${id}`).expect(404);
      await call.patch(`/api/auth/passkeys/${id}`).send({ name: 'mine' }).expect(404);
    }
  });
});

describe('signing in with a passkey', () => {
  it('needs neither email nor password', async () => {
    const { email, device } = await withPasskey('passkey@example.org');
    const address = addressOf(email);
    const response = await complete(address, device.authenticate(await begin(address)));
    expect(response.body).toMatchObject({ operator: { email } });
    const session = await verify(world.app, cookieOf(response) ?? '');
    expect(session).toMatchObject({ email });
    const history = await world.sql(
      'select method, outcome from auth.sign_ins where email = $1 order by id desc limit 1',
      [email],
    );
    expect(history).toEqual([{ method: 'passkey', outcome: 'success' }]);
  });

  it('is both factors where one is required', async () => {
    const { email, device, cookie } = await withPasskey('factors@example.org');
    const address = addressOf(email);
    const response = await complete(address, device.authenticate(await begin(address)));
    const app = world.appWith({ requiresSecondFactor: true });
    expect(await verify(app, cookieOf(response) ?? '')).not.toHaveProperty('mustEnrol');
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
  });

  it('sends the same options to everybody', async () => {
    await withPasskey('same@example.org');
    const options = [];
    for (const address of ['192.0.2.50', '192.0.2.51']) {
      const { body } = await as(world.app, null)
        .post('/api/auth/login/passkey/options')
        .set('x-client-address', address);
      const { challenge: _challenge, ...rest } = (body as Options).options;
      options.push(rest);
    }
    expect(options[0]).toEqual(options[1]);
    expect(options[0]).not.toHaveProperty('allowCredentials');
  });

  it.each([
    ['another origin', { origin: 'http://evil.example' }],
    ['another site', { rpId: 'evil.example' }],
    ['no verified user', { isUserVerified: false }],
  ] as const)('refuses %s', async (what, claims) => {
    const { email, device } = await withPasskey(`${what.replaceAll(' ', '.')}@example.org`);
    const address = addressOf(email);
    const response = await complete(address, device.authenticate(await begin(address), claims));
    expect(response.body).toMatchObject(invalid);
  });

  it('refuses an unknown passkey like a wrong signature and a disabled account', async () => {
    const { email, device, id } = await withPasskey('unknown@example.org');
    const address = addressOf(email);
    const unknown = createAuthenticator();
    const signature = unknown.authenticate(await begin(address)).response;
    const forged = { ...device.authenticate('x'), response: signature };
    const refusals = [
      await complete(address, unknown.authenticate(await begin(address))),
      await complete(address, forged),
    ];
    await world.sql('update auth.operators set disabled_at = now() where id = $1', [id]);
    refusals.push(await complete(address, device.authenticate(await begin(address))));
    const shown = refusals.map(({ body }) => ({ ...(body as object), requestId: '' }));
    expect(shown[0]).toMatchObject(invalid);
    expect(shown).toEqual([shown[0], shown[0], shown[0]]);
  });

  it('uses a challenge once, even when it is sent five times at once, and for one network', async () => {
    const { email, device } = await withPasskey('once@example.org');
    const address = addressOf(email);
    const elsewhere = await complete('198.51.100.1', device.authenticate(await begin(address)));
    expect(elsewhere.body).toMatchObject({ status: 401, code: 'challenge_expired' });
    const response = device.authenticate(await begin(address));
    const all = await Promise.all(Array.from({ length: 5 }, () => complete(address, response)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await begin(address);
    world.passSeconds(5 * 60);
    const expired = await complete(address, device.authenticate(late));
    expect(expired.body).toMatchObject({ status: 401, code: 'challenge_expired' });
  });

  it('refuses a counter that goes back or stays, and reports it in the history', async () => {
    const { email, device, call } = await withPasskey('counter@example.org', { counter: 5 });
    const address = addressOf(email);
    const attempt = async (counter: number) =>
      complete(address, device.authenticate(await begin(address), { counter }));
    expect((await attempt(7)).status).toBe(200);
    expect((await attempt(7)).body).toMatchObject(invalid);
    expect((await attempt(6)).body).toMatchObject(invalid);
    expect((await attempt(8)).status).toBe(200);
    const { items } = (await call.get('/api/auth/activity')).body as {
      items: { outcome: string; reason: string | null }[];
    };
    const reasons = items.filter(({ outcome }) => outcome === 'failure').map((one) => one.reason);
    expect(reasons).toEqual(['passkey_counter', 'passkey_counter']);
  });

  it('limits the attempts of one address', async () => {
    const device = createAuthenticator();
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count += 1) {
      statuses.add((await complete('192.0.2.99', device.authenticate('x'))).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    for (let count = 0; count < 60; count += 1) {
      await begin('192.0.2.98');
    }
    await as(world.app, null)
      .post('/api/auth/login/passkey/options')
      .set('x-client-address', '192.0.2.98')
      .expect(429);
  });

  it('is 409 in local trusted mode, and where the site has no name', async () => {
    const local = world.appWith({ mode: 'local_trusted' });
    await as(local, null).post('/api/auth/login/passkey/options').expect(409);
    await as(local, localOperatorCaller()).post('/api/auth/passkeys/options').expect(409);
  });
});

describe('removing a passkey', () => {
  it('ends the other sessions that it started, and no others', async () => {
    const { email, device, cookie, call, passkey } = await withPasskey('ended@example.org');
    const address = addressOf(email);
    const response = await complete(address, device.authenticate(await begin(address)));
    const started = cookieOf(response) ?? '';
    const byPassword = await cookieFor(world.app, email, address);
    await call.delete(`/api/auth/passkeys/${passkey.id}`).expect(204);
    expect(await verify(world.app, started)).toBeNull();
    expect(await verify(world.app, cookie)).not.toBeNull();
    expect(await verify(world.app, byPassword)).not.toBeNull();
    const after = await complete(address, device.authenticate(await begin(address)));
    expect(after.body).toMatchObject(invalid);
  });
});

describe('a session of one passkey that another one confirmed', () => {
  type Device = ReturnType<typeof createAuthenticator>;

  /** Confirms a session with a passkey; returns its next cookie. */
  const confirm = async (cookie: string, email: string, device: Device): Promise<string> => {
    const { call } = await withCookie(world.app, cookie);
    const passkey = device.authenticate(await begin(addressOf(email)));
    const confirmed = await call
      .post('/api/auth/reauthenticate')
      .set('x-client-address', addressOf(email))
      .send({ passkey })
      .expect(204);
    return cookieOf(confirmed) ?? '';
  };

  it.each(['first', 'second'] as const)('ends with the %s', async (removed) => {
    const first = await withPasskey(`rests-on-${removed}@example.org`);
    const second = await addPasskey(first);
    const { email, call } = first;
    const address = addressOf(email);
    const challenge = await begin(address);
    const started = await complete(address, first.device.authenticate(challenge)).expect(200);
    const byPasskey = await confirm(cookieOf(started) ?? '', email, second.device);
    const withPassword = await cookieFor(world.app, email, address);
    const byPassword = await confirm(withPassword, email, first.device);
    const confirmedTwice = await confirm(byPassword, email, second.device);
    const { id } = { first, second }[removed].passkey;
    await call.delete(`/api/auth/passkeys/${id}`).expect(204);
    expect(await verify(world.app, byPasskey)).toBeNull();
    expect(await verify(world.app, confirmedTwice)).toBeNull();
  });

  it('is one of two factors after it removed the former, and none after it removed the last', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const first = await withPasskey('removes-both@example.org');
    const second = await addPasskey(first);
    const address = addressOf(first.email);
    const challenge = await begin(address);
    const started = await complete(address, first.device.authenticate(challenge)).expect(200);
    const cookie = await confirm(cookieOf(started) ?? '', first.email, second.device);
    const { call } = await withCookie(app, cookie);
    await call.delete(`/api/auth/passkeys/${first.passkey.id}`).expect(204);
    expect(await verify(app, cookie)).not.toHaveProperty('mustEnrol');
    await call.delete(`/api/auth/passkeys/${second.passkey.id}`).expect(204);
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
  });
});

describe('confirming with a passkey', () => {
  it('accepts the own one, and no other', async () => {
    const { email, device, post } = await withPasskey('own@example.org');
    const { device: foreign } = await withPasskey('foreign@example.org');
    const address = addressOf(email);
    const path = '/api/auth/reauthenticate';
    const refused = await post(path, { passkey: foreign.authenticate(await begin(address)) });
    expect(refused.body).toMatchObject(invalid);
    await post(path, { passkey: device.authenticate(await begin(address)) }).expect(204);
    const both = { password, passkey: device.authenticate(await begin(address)) };
    await post(path, both).expect(400);
  });
});

describe('an account with a passkey, where a second factor is required', () => {
  it('its password alone changes no factor; confirmed with the passkey, the session counts as one of two', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const { device, email, cookie, passkey } = await withPasskey('stolen@example.org');
    const { call } = await withCookie(app, cookie);
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
    const attempts = [
      call.post('/api/auth/totp').send({}),
      call.post('/api/auth/totp/confirm').send({ code: '123456' }),
      call.delete('/api/auth/totp'),
      call.post('/api/auth/passkeys/options').send({}),
      call.delete(`/api/auth/passkeys/${passkey.id}`),
    ];
    for (const attempt of attempts) {
      const { body } = await attempt;
      expect(body).toMatchObject({ status: 403, code: 'reauthentication_required' });
    }
    const challenge = await begin(addressOf(email));
    const confirmed = await call
      .post('/api/auth/reauthenticate')
      .set('x-client-address', addressOf(email))
      .send({ passkey: device.authenticate(challenge) })
      .expect(204);
    expect(cookieOf(confirmed)).toBeDefined();
    expect(await verify(app, cookieOf(confirmed) ?? '')).not.toHaveProperty('mustEnrol');
    await call.post('/api/auth/totp').send({}).expect(200);
  });
});

describe('a passkey that is removed during a sign-in with it', () => {
  it('starts no session', async () => {
    const { device, email, id, passkey } = await withPasskey('removed-meanwhile@example.org');
    const address = addressOf(email);
    const response = device.authenticate(await begin(address));
    // Holds the row of the operator, so that the removal comes between the check and the session.
    const removal = world.sql(
      `with held as (select from auth.operators where id = $1 for update),
            waited as (select pg_sleep(1) from held)
       delete from auth.passkeys where id = $2 and exists (select from waited)`,
      [id, passkey.id],
    );
    const [signIn] = await Promise.all([complete(address, response), removal]);
    expect(signIn.status).toBe(401);
  });
});

describe('the last way to sign in', () => {
  /** An account of single sign-on: without a password, on an instance without a provider. */
  const withoutPassword = async (email: string) => {
    const operator = await withPasskey(email);
    await world.sql('update auth.operators set has_password = false where id = $1', [operator.id]);
    return operator;
  };

  it('is not removed: neither the last passkey, nor the last identity', async () => {
    const { call, id, passkey } = await withoutPassword('last-way@example.org');
    const path = `/api/auth/passkeys/${passkey.id}`;
    const refused = await call.delete(path);
    expect(refused.body).toMatchObject({ status: 409, code: 'last_sign_in_method' });
    const [identity] = await world.sql(
      `insert into auth.identities (id, operator_id, issuer, subject, created_at)
       values (gen_random_uuid(), $1, 'https://former.example', 'subject', now()) returning id`,
      [id],
    );
    // An identity of a provider that is not configured signs nobody in.
    await call.delete(path).expect(409);
    await call.delete(`/api/auth/identities/${String(identity?.['id'])}`).expect(204);
    expect(await world.sql('select from auth.passkeys where operator_id = $1', [id])).toHaveLength(
      1,
    );
  });

  it('stays when two passkeys are removed at once', async () => {
    const { call, id, passkey } = await withoutPassword('two-ways@example.org');
    const [other] = await world.sql(
      `insert into auth.passkeys (id, operator_id, credential_id, public_key, counter, is_backed_up,
                                  transports, name, created_at)
       values (gen_random_uuid(), $1, 'second way', '', 0, false, '{}', 'Key', now()) returning id`,
      [id],
    );
    const ids = [passkey.id, String(other?.['id'])];
    const responses = await Promise.all(
      ids.map((each) => call.delete(`/api/auth/passkeys/${each}`)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });
});

describe('the session of a passkey that is removed', () => {
  it('goes on without a second factor', async () => {
    const app = world.appWith({ requiresSecondFactor: true });
    const { device, email, passkey } = await withPasskey('removes-own@example.org');
    const address = addressOf(email);
    const response = await complete(address, device.authenticate(await begin(address))).expect(200);
    const cookie = cookieOf(response) ?? '';
    expect(await verify(app, cookie)).not.toHaveProperty('mustEnrol');
    const { call } = await withCookie(app, cookie);
    await call.delete(`/api/auth/passkeys/${passkey.id}`).expect(204);
    expect(await verify(app, cookie)).toMatchObject({ mustEnrol: true });
  });
});

describe('an office behind one address', () => {
  it('signs in with passkeys as often as it likes: only what does not succeed counts', async () => {
    const { device, email } = await withPasskey('office@example.org');
    const address = addressOf(email);
    // The limit is of thirty; the counters stay where they were.
    const buckets = () => world.sql('select bucket, tries from auth.login_buckets order by bucket');
    const before = await buckets();
    for (let count = 0; count < 3; count += 1) {
      await complete(address, device.authenticate(await begin(address))).expect(200);
    }
    expect(await buckets()).toEqual(before);
  });
});

describe('a credential id', () => {
  it('of more than 1,023 bytes is refused, and one of 1,023 is not', async () => {
    const { post } = await signedIn('long-id@example.org');
    const addWith = async (bytes: number) => {
      const begun = await post('/api/auth/passkeys/options').expect(200);
      const { challenge } = (begun.body as Options).options;
      const response = createAuthenticator(bytes).register(challenge);
      return post('/api/auth/passkeys', {
        name: 'x',
        // The request may name a short id: that of the attestation counts.
        response: bytes > 1_023 ? { ...response, id: 'x', rawId: 'x' } : response,
      });
    };
    expect((await addWith(4_000)).status).toBe(401);
    expect((await addWith(1_024)).status).toBe(401);
    expect((await addWith(1_023)).status).toBe(201);
  });
});
