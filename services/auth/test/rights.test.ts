import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import pg from 'pg';
import { purgeExpired } from '../src/commands/purge-expired.ts';
import { cookieFor, createWorld, logIn, verify, type World } from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** Runs a statement with the role of the service. */
const asService = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: world.database.appUrl('auth') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

describe('the role of the service', () => {
  it.each([
    "update auth.sign_ins set outcome = 'success'",
    'delete from auth.sign_ins',
    'truncate auth.sign_ins',
    "update auth.instance_activity set detail = '{}'",
    'delete from auth.instance_activity',
    'truncate auth.instance_activity',
    'insert into auth.instance default values',
    'delete from auth.instance',
    'alter table auth.operators add column more text',
    'drop table auth.sessions',
    'create table auth.more (id int)',
  ])('may not %s', async (statement) => {
    await expect(asService(statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it.each(['agents', 'notes'] as const)('of %s has no access to this schema', async (service) => {
    const client = new pg.Client({ connectionString: world.database.appUrl(service) });
    await client.connect();
    try {
      for (const table of ['operators', 'sessions', 'sign_ins', 'instance', 'login_buckets']) {
        await expect(client.query(`select from auth.${table}`)).rejects.toThrow(
          'permission denied for schema auth',
        );
      }
    } finally {
      await client.end();
    }
  });
});

describe('purging', () => {
  it('keeps 90 days of history even if less is requested, and deletes older entries', async () => {
    const insert = (email: string, days: number) =>
      world.sql(
        `insert into auth.sign_ins (id, at, email, method, outcome)
         values ($1, now() - make_interval(days => $2), $3, 'password', 'failure')`,
        [newId(), days, email],
      );
    await insert('old@example.org', 91);
    await insert('young@example.org', 89);
    await asService('select auth.forget_sign_ins(now())');
    expect(await world.sql('select email from auth.sign_ins')).toEqual([
      { email: 'young@example.org' },
    ]);
  });

  it('deletes expired sessions and attempts, and nothing active', async () => {
    await world.operator('olga@example.org');
    await logIn(world.app, { email: 'x@example.org', password: 'wrong' }).expect(401);
    await cookieFor(world.app, 'olga@example.org');
    world.passSeconds(40 * 60);
    const cookie = await cookieFor(world.app, 'olga@example.org');
    world.passSeconds(30 * 60);
    await purgeExpired(world.deps);
    expect(await world.sql('select from auth.sessions')).toHaveLength(1);
    expect(await verify(world.app, cookie)).not.toBeNull();
    world.passSeconds(25 * 60 * 60);
    await purgeExpired(world.deps);
    expect(await world.sql('select from auth.sessions')).toEqual([]);
    expect(await world.sql('select from auth.login_buckets')).toEqual([]);
  });
});
