import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { as, testIdentity } from '@commonplace/testkit';
import { createApp } from '../../src/app.ts';
import { transferLocalMemberships } from '../../src/commands/transfer-local-memberships.ts';
import { bootstrapOnce, type BootstrapConfig } from '../../src/bootstrap-instance.ts';
import { cookieOf, createWorld, password, verify, type World } from '../support/auth-world.ts';

// Every test sets up an instance, so every test has its own.
let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const account = { email: 'olga@example.org', name: 'Olga', password };
const setUp = (body: object, app = world.app) => as(app, null).post('/api/auth/setup').send(body);

/** Bootstraps the instance and returns the setup link it shows, if any. */
const prepare = async (
  config: Partial<BootstrapConfig> = {},
  deps = world.deps,
): Promise<string> => {
  let shown = '';
  await bootstrapOnce(deps, {
    GATEWAY_URL: 'http://127.0.0.1:8080',
    PUBLIC_URL: undefined,
    BOOTSTRAP_OPERATOR_EMAIL: undefined,
    BOOTSTRAP_OPERATOR_PASSWORD: undefined,
    announce: (url) => {
      shown = url;
    },
    ...config,
  });
  return shown;
};

const tokenOf = (link: string): string => {
  const [, token] = /\/setup#token=([\w-]{43})$/.exec(link) ?? [];
  if (token === undefined) {
    throw new Error(`No setup link: ${link}`);
  }
  return token;
};

describe('the setup link', () => {
  it('creates the first operator: an administrator, signed in, with the local memberships', async () => {
    const token = tokenOf(await prepare());
    const response = await setUp({ token, ...account }).expect(201);
    const { operator } = response.body as { operator: { id: string } };
    expect(operator).toEqual({
      id: expect.any(String),
      email: 'olga@example.org',
      name: 'Olga',
      isAdmin: true,
    });
    expect(await verify(world.app, cookieOf(response) ?? '')).toMatchObject({ isAdmin: true });
    expect(world.agents.adopted).toEqual([operator.id]);
  });

  it('works once: afterwards 409 for any token', async () => {
    const token = tokenOf(await prepare());
    await setUp({ token, ...account }).expect(201);
    for (const again of [token, 'another']) {
      const response = await setUp({ token: again, ...account, email: 'second@example.org' });
      expect(response.body).toMatchObject({ status: 409, code: 'already_set_up' });
    }
    expect(await prepare()).toBe('');
  });

  it('creates one operator for concurrent requests on two replicas', async () => {
    const token = tokenOf(await prepare());
    const apps = [world.app, world.appWith()];
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        setUp({ token, ...account, email: `olga${index}@example.org` }, apps[index % 2]),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await world.sql('select from auth.operators')).toHaveLength(1);
  });

  it('is unique: a new start creates a new one and invalidates the previous one', async () => {
    const former = tokenOf(await prepare());
    const current = tokenOf(await prepare({ PUBLIC_URL: 'https://notes.example.org' }));
    const response = await setUp({ token: former, ...account });
    expect(response.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    // As is said without an account, before the form is filled in.
    const check = (token: string) =>
      as(world.app, null).post('/api/auth/setup/check').send({ token });
    expect((await check(former).expect(401)).body).toMatchObject({
      code: 'invalid_one_time_token',
    });
    await check(current).expect(204);
    await setUp({ token: current, ...account }).expect(201);
    expect((await check(current).expect(409)).body).toMatchObject({ code: 'already_set_up' });
  });

  it('says before the form that nobody can use it where passwords are switched off', async () => {
    const token = tokenOf(await prepare());
    const app = createApp({
      ...world.depsWith(),
      isLocalLogin: false,
      verifyIdentity: testIdentity.verifyIdentity,
    });
    for (const path of ['/api/auth/setup/check', '/api/auth/setup']) {
      const body = path.endsWith('check') ? { token } : { token, ...account };
      const response = await as(app, null).post(path).send(body).expect(403);
      expect(response.body).toMatchObject({ code: 'local_login_disabled' });
    }
  });

  it('points to the URL for browsers', async () => {
    expect(await prepare()).toContain('http://127.0.0.1:8080/setup#token=');
    const config = { PUBLIC_URL: 'https://notes.example.org' };
    expect(await prepare(config)).toContain('https://notes.example.org/setup#token=');
  });

  it('is stored as a digest', async () => {
    const token = tokenOf(await prepare());
    const rows = await world.sql('select setup_token_digest as digest from auth.instance');
    expect(rows).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('rejects a weak password (422) and an invalid body (400), and the token stays valid', async () => {
    const token = tokenOf(await prepare());
    await setUp({ token, ...account, password: 'passwordpassword' }).expect(422);
    await setUp({ token, ...account, name: ' ' }).expect(400);
    await setUp({ token, ...account, isAdmin: true }).expect(400);
    await setUp({ token, email: account.email, password }).expect(400);
    await setUp({ token, ...account }).expect(201);
  });

  it('is neither printed nor accepted in local trusted mode', async () => {
    const deps = world.depsWith({ mode: 'local_trusted' });
    expect(await prepare({}, deps)).toBe('');
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await setUp({ token: 'any', ...account }, app);
    expect(response.body).toMatchObject({ status: 409, code: 'local_trusted' });
  });
});

describe('the configured first operator', () => {
  const config = {
    BOOTSTRAP_OPERATOR_EMAIL: account.email,
    BOOTSTRAP_OPERATOR_PASSWORD: password,
  };

  it('is created once, even by two replicas at once, and no link is printed', async () => {
    const printed = await Promise.all([prepare(config), prepare(config)]);
    expect(printed).toEqual(['', '']);
    await prepare({ ...config, BOOTSTRAP_OPERATOR_EMAIL: 'other@example.org' });
    expect(await world.sql('select email, is_admin from auth.operators')).toEqual([
      { email: account.email, is_admin: true },
    ]);
  });
});

describe('the memberships of the local operator', () => {
  it('are transferred later if the agents service was unavailable', async () => {
    const token = tokenOf(await prepare());
    world.agents.state.isUnavailable = true;
    const response = await setUp({ token, ...account }).expect(201);
    expect(world.agents.adopted).toEqual([]);
    await expect(transferLocalMemberships(world.deps)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    world.agents.state.isUnavailable = false;
    expect(await transferLocalMemberships(world.deps)).toBe(true);
    expect(await transferLocalMemberships(world.deps)).toBe(true);
    const { operator } = response.body as { operator: { id: string } };
    expect(world.agents.adopted).toEqual([operator.id]);
  });

  it('wait for a first operator', async () => {
    expect(await transferLocalMemberships(world.deps)).toBe(false);
  });

  it('are transferred again after a time in local trusted mode', async () => {
    const { id } = await world.operator(account.email);
    await transferLocalMemberships(world.deps);
    await prepare({}, world.depsWith({ mode: 'local_trusted' }));
    await transferLocalMemberships(world.deps);
    expect(world.agents.adopted).toEqual([id, id]);
  });
});
