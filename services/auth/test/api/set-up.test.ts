import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { as } from '@commonplace/testkit';
import { transferLocalMemberships } from '../../src/commands/transfer-local-memberships.ts';
import { bootstrapOnce, type BootstrapConfig } from '../../src/jobs/bootstrap-instance.ts';
import { cookieOf, createWorld, password, verify, type World } from '../support/auth-world.ts';

// Every test sets up an installation, so every test has one.
let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const account = { email: 'olga@example.org', name: 'Olga', password };
const setUp = (body: object, app = world.app) => as(app, null).post('/api/auth/setup').send(body);

/** Starts the instance and answers the setup link it shows, if any. */
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
  it('creates the first operator: an administrator, signed in, heir of the local operator', async () => {
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

  it('works once: afterwards 409, whatever the token', async () => {
    const token = tokenOf(await prepare());
    await setUp({ token, ...account }).expect(201);
    for (const again of [token, 'another']) {
      const response = await setUp({ token: again, ...account, email: 'second@example.org' });
      expect(response.body).toMatchObject({ status: 409, code: 'already_set_up' });
    }
    expect(await prepare()).toBe('');
  });

  it('makes one operator of many at once, on two replicas', async () => {
    const token = tokenOf(await prepare());
    const apps = [world.app, world.appWith()];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        setUp({ token, ...account, email: `olga${index}@example.org` }, apps[index % 2]),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await world.sql('select from auth.operators')).toHaveLength(1);
  });

  it('is one at a time: a new start makes a new one, and the former is dead', async () => {
    const former = tokenOf(await prepare());
    const current = tokenOf(await prepare({ PUBLIC_URL: 'https://notes.example.org' }));
    const response = await setUp({ token: former, ...account });
    expect(response.body).toMatchObject({ status: 401, code: 'invalid_one_time_token' });
    await setUp({ token: current, ...account }).expect(201);
  });

  it('points where browsers are to go', async () => {
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

  it('takes no weak password (422), no bad body (400), and the token stays good', async () => {
    const token = tokenOf(await prepare());
    await setUp({ token, ...account, password: 'passwordpassword' }).expect(422);
    await setUp({ token, ...account, name: ' ' }).expect(400);
    await setUp({ token, ...account, isAdmin: true }).expect(400);
    await setUp({ token, email: account.email, password }).expect(400);
    await setUp({ token, ...account }).expect(201);
  });

  it('is not printed and not taken in local trusted mode', async () => {
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

  it('is created once, by two replicas at once too, and no link is printed', async () => {
    const printed = await Promise.all([prepare(config), prepare(config)]);
    expect(printed).toEqual(['', '']);
    await prepare({ ...config, BOOTSTRAP_OPERATOR_EMAIL: 'other@example.org' });
    expect(await world.sql('select email, is_admin from auth.operators')).toEqual([
      { email: account.email, is_admin: true },
    ]);
  });
});

describe('what the local operator owned', () => {
  it('is handed over later when the agents service was away', async () => {
    const token = tokenOf(await prepare());
    world.agents.state.isAway = true;
    const response = await setUp({ token, ...account }).expect(201);
    expect(world.agents.adopted).toEqual([]);
    await expect(transferLocalMemberships(world.deps)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    world.agents.state.isAway = false;
    expect(await transferLocalMemberships(world.deps)).toBe(true);
    expect(await transferLocalMemberships(world.deps)).toBe(true);
    const { operator } = response.body as { operator: { id: string } };
    expect(world.agents.adopted).toEqual([operator.id]);
  });

  it('waits for a first operator', async () => {
    expect(await transferLocalMemberships(world.deps)).toBe(false);
  });

  it('is handed over again after the instance was in local trusted mode for a while', async () => {
    const { id } = await world.operator(account.email);
    await transferLocalMemberships(world.deps);
    await prepare({}, world.depsWith({ mode: 'local_trusted' }));
    await transferLocalMemberships(world.deps);
    expect(world.agents.adopted).toEqual([id, id]);
  });
});
