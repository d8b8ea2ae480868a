import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { networkOfAddress } from '@commonplace/identity';
import { historyBucket } from '../../src/policy/login-limits.ts';
import { createPasswords } from '../../src/passwords/passwords.ts';
import { AppError, newId } from '@commonplace/contracts';
import { write } from '@commonplace/db';
import { consumeOidcAttempt, refundOidcAttempt } from '../../src/commands/consume-oidc-attempt.ts';
import { recordKnownDevice } from '../../src/queries/known-devices.ts';
import { purgeExpired } from '../../src/commands/purge-expired.ts';
import { createApp } from '../../src/app.ts';
import { testIdentity } from '@commonplace/testkit';
import { createWorld, logIn, password, pepper, type World } from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const wrong = 'not the right password';
const statusOf = async (email: string, secret: string, address?: string) =>
  (await logIn(world.app, { email, password: secret }, address)).status;

const signInRepeatedly = async (times: number, email: string, address?: string) => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) {
    statuses.push(await statusOf(email, wrong, address));
  }
  return statuses;
};

describe('one account from one address', () => {
  it('allows five failed attempts, then does not even check the right password', async () => {
    await world.operator('five@example.org');
    expect(await signInRepeatedly(5, 'five@example.org')).toEqual([401, 401, 401, 401, 401]);
    const response = await logIn(world.app, { email: 'five@example.org', password });
    expect(response.status).toBe(429);
    expect(response.body).toMatchObject({ code: 'login_throttled' });
    expect(response.headers['retry-after']).toBe('30');
  });

  it('doubles the delay with each further failure, up to 15 minutes', async () => {
    await world.operator('wait@example.org');
    await signInRepeatedly(4, 'wait@example.org', '192.0.2.2');
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      expect(await statusOf('wait@example.org', wrong, '192.0.2.2')).toBe(401);
      const refused = await logIn(
        world.app,
        { email: 'wait@example.org', password },
        '192.0.2.2',
      ).expect(429);
      waits.push(Number(refused.headers['retry-after']));
      world.passSeconds(waits.at(-1) ?? 0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
    expect(await statusOf('wait@example.org', password, '192.0.2.2')).toBe(200);
  });

  it('starts over after a successful sign-in', async () => {
    await world.operator('forgiven@example.org');
    await signInRepeatedly(4, 'forgiven@example.org', '192.0.2.3');
    expect(await statusOf('forgiven@example.org', password, '192.0.2.3')).toBe(200);
    expect(await signInRepeatedly(5, 'forgiven@example.org', '192.0.2.3')).not.toContain(429);
  });

  it('does not lock out the same account from elsewhere', async () => {
    await world.operator('elsewhere@example.org');
    await signInRepeatedly(6, 'elsewhere@example.org', '192.0.2.4');
    expect(await statusOf('elsewhere@example.org', password, '192.0.2.5')).toBe(200);
  });

  it('is the same for an email that has no account', async () => {
    const statuses = await signInRepeatedly(6, 'nobody@example.org', '192.0.2.6');
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('more concurrent attempts than passwords can be checked', () => {
  it('are 503 and do not count: the right password still works, and no row is left', async () => {
    await world.operator('crowd@example.org');
    await world.sql('delete from auth.login_buckets');
    const app = world.appWith({ passwords: { cost: 10 } });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_none, index) => {
        const body = { email: 'crowd@example.org', password };
        return (await logIn(app, body, `198.51.101.${index}`)).status;
      }),
    );
    expect(statuses).toContain(503);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    // Those that were checked count as right passwords, of the account and of the address.
    const checked = statuses.filter((status) => status === 200).length;
    expect(await world.sql('select tries from auth.login_buckets')).toEqual(
      Array.from({ length: 2 * checked }, () => ({ tries: 1 })),
    );
  });

  it('do not use up a limit: the right password works after five of them', async () => {
    await world.operator('unlucky@example.org');
    const isFull = { now: true };
    const real = createPasswords({ peppers: [pepper], cost: 4 });
    const passwords = {
      ...real,
      verify: (...args: Parameters<typeof real.verify>) =>
        isFull.now ? Promise.reject(new AppError('busy')) : real.verify(...args),
    };
    const deps = { ...world.depsWith(), passwords };
    const app = createApp({ ...deps, verifyIdentity: testIdentity.verifyIdentity });
    const body = { email: 'unlucky@example.org', password };
    for (let count = 0; count < 35; count += 1) {
      expect((await logIn(app, body, '192.0.2.9')).status).toBe(503);
    }
    isFull.now = false;
    expect((await logIn(app, body, '192.0.2.9')).status).toBe(200);
  });
});

describe('twenty concurrent failed attempts', () => {
  it('get at most five password checks over two replicas', async () => {
    await world.operator('flood@example.org');
    let comparisons = 0;
    const real = createPasswords({ peppers: [pepper], cost: 4 });
    const passwords = {
      ...real,
      verify: (...args: Parameters<typeof real.verify>) => {
        comparisons += 1;
        return real.verify(...args);
      },
    };
    const replicas = [1, 2].map(() =>
      createApp({ ...world.depsWith(), passwords, verifyIdentity: testIdentity.verifyIdentity }),
    );
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_none, index) => {
        const app = replicas[index % 2] ?? world.app;
        const body = { email: 'flood@example.org', password: wrong };
        return (await logIn(app, body, '192.0.2.7')).status;
      }),
    );
    expect(comparisons).toBe(5);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });
});

describe('one address', () => {
  const address = (index: number) => `2001:db8:7:7::${index.toString(16)}`;

  it('allows thirty failures a minute over all accounts; an IPv6 network counts as one address', async () => {
    expect(networkOfAddress(address(1))).toBe(networkOfAddress(address(31)));
    for (let index = 0; index < 30; index += 1) {
      expect(await statusOf(`many${index}@example.org`, wrong, address(index))).toBe(401);
    }
    const refused = await logIn(
      world.app,
      { email: 'another@example.org', password: wrong },
      address(99),
    );
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    world.passSeconds(60);
    expect(await statusOf('another@example.org', wrong, address(99))).toBe(401);
  });

  it('may sign in as one account thirty times a minute, on any replica, and as others besides', async () => {
    await world.operator('often@example.org');
    await world.operator('neighbour@example.org');
    const replicas = [world.app, world.appWith()] as const;
    const statuses: number[] = [];
    for (let count = 0; count < 32; count += 1) {
      const body = { email: 'often@example.org', password };
      statuses.push((await logIn(replicas[count % 2] ?? world.app, body, '192.0.2.8')).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
    expect(await statusOf('neighbour@example.org', password, '192.0.2.8')).toBe(200);
    expect(await statusOf('often@example.org', password, '192.0.2.81')).toBe(200);
    world.passSeconds(60);
    expect(await statusOf('often@example.org', password, '192.0.2.8')).toBe(200);
  });
});

describe('one account', () => {
  it('allows a hundred failures an hour over all addresses', async () => {
    await world.operator('target@example.org');
    for (let index = 0; index < 100; index += 1) {
      expect(await statusOf('target@example.org', wrong, `198.51.100.${index}`)).toBe(401);
    }
    expect(await statusOf('target@example.org', password, '198.51.100.200')).toBe(429);
    world.passSeconds(60 * 60);
    expect(await statusOf('target@example.org', password, '198.51.100.200')).toBe(200);
  });
});

describe('a full history', () => {
  it('makes no refusal cheaper: as much is written for unknown emails as for known ones', async () => {
    const { id } = await world.operator('listed@example.org');
    const counted = async (operatorId: string | null) => {
      const [row] = await world.sql('select tries from auth.login_buckets where bucket = $1', [
        historyBucket(operatorId),
      ]);
      return Number(row?.['tries']);
    };
    const entries = async () => (await world.sql('select from auth.sign_ins')).length;
    for (const [email, operatorId] of [
      ['listed@example.org', id],
      ['unlisted@example.org', null],
    ] as const) {
      expect(await statusOf(email, wrong, '192.0.2.90')).toBe(401);
      await world.sql('update auth.login_buckets set tries = 200 where bucket = $1', [
        historyBucket(operatorId),
      ]);
      const before = await entries();
      expect(await statusOf(email, wrong, '192.0.2.91')).toBe(401);
      // Two writes, as with an entry: the counter, and again the counter in place of the entry.
      expect([await counted(operatorId), await entries()]).toEqual([202, before]);
    }
  });
});

describe('the stored attempts', () => {
  it('are bounded per address: invented emails add no further rows', async () => {
    const rows = async () =>
      Number((await world.sql('select count(*) as n from auth.login_buckets'))[0]?.['n']);
    const before = await rows();
    const statuses: number[] = [];
    for (let index = 0; index < 120; index += 1) {
      statuses.push(await statusOf(`made-up-${index}@example.org`, wrong, '192.0.2.20'));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    // One for the address, and two for each checked email.
    expect((await rows()) - before).toBeLessThanOrEqual(61 + 1);
    world.passSeconds(60 * 60);
    await purgeExpired(world.deps);
    expect(await rows()).toBeLessThan(before + 1);
  });

  it('exclude rejected attempts, which use up no other limit', async () => {
    await world.operator('office@example.org');
    await signInRepeatedly(5, 'blocked@example.org', '192.0.2.21');
    expect(await signInRepeatedly(40, 'blocked@example.org', '192.0.2.21')).not.toContain(401);
    expect(await statusOf('office@example.org', password, '192.0.2.21')).toBe(200);
  });

  it('contain no email and no address in clear text', async () => {
    const rows = await world.sql('select * from auth.login_buckets');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(String(row['bucket'])))).toBe(true);
  });
});

it('sign-ins through the provider that succeed do not count, also of browsers that are known only afterwards', async () => {
  const { id } = await world.operator('office-sso@example.org');
  const address = '192.0.2.40';
  for (let index = 0; index < 31; index += 1) {
    const device = createHash('sha256').update(String(index)).digest('hex');
    const attempt = { state: newId() } as Parameters<typeof consumeOidcAttempt>[1];
    const client = { address, userAgent: null, device };
    const counted = await consumeOidcAttempt(world.deps, attempt, client);
    // The sign-in remembers the browser before its attempt is refunded.
    const remembered = { operatorId: id, digest: device, at: world.clock() };
    await write(world.deps.db, 'global', (tx) => recordKnownDevice(tx, remembered));
    await refundOidcAttempt(world.deps, counted);
  }
  const other = { state: newId() } as Parameters<typeof consumeOidcAttempt>[1];
  const unknown = { address, userAgent: null, device: null };
  await expect(consumeOidcAttempt(world.deps, other, unknown)).resolves.toBeDefined();
});
