import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { up as addProofs } from '../migrations/0017_add_proofs_of_sessions.ts';
import { createWorld, type World } from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the migrations', () => {
  it('are all applied, each once', async () => {
    const rows = await world.sql('select name, batch from auth.knex_migrations order by id');
    expect(rows.map(({ name }) => name)).toEqual([
      '0001_create_operators',
      '0002_create_sessions',
      '0003_create_login_buckets',
      '0004_create_sign_ins',
      '0005_create_configuration_fingerprints',
      '0006_add_sign_in_methods',
      '0007_add_authenticated_at',
      '0008_create_second_factors',
      '0009_create_identities',
      '0010_create_backups',
      '0011_create_account_handovers',
      '0012_create_instance_activity',
      '0013_create_known_devices',
      '0014_add_access_epoch',
      '0015_create_oauth_records',
      '0016_add_beginner_of_handover',
      '0017_add_proofs_of_sessions',
    ]);
  });

  it('add what a session rests on twice and at once, without harm', async () => {
    const clients = [0, 1].map(() => new pg.Client({ connectionString: world.adminUrl }));
    await Promise.all(clients.map((client) => client.connect()));
    await world.sql(
      'alter table auth.sessions drop column former_passkey_ids, drop column has_lost_factor',
    );
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        clients.map((client) => addProofs({ raw: (statement) => client.query(statement) })),
      );
    }
    await Promise.all(clients.map((client) => client.end()));
    const columns = await world.sql(
      `select count(*)::int as count from information_schema.columns
        where table_schema = 'auth' and table_name = 'sessions'
          and column_name in ('former_passkey_ids', 'has_lost_factor')`,
    );
    expect(columns).toEqual([{ count: 2 }]);
  });

  it('create no trigger and no unlogged table, which a distributed PostgreSQL does not support', async () => {
    expect(
      await world.sql(
        `select relname from pg_class
          where relnamespace = 'auth'::regnamespace and (relpersistence <> 'p' or relhastriggers)
            and relname not in ('operators', 'sessions', 'instance', 'totp_factors', 'recovery_codes', 'passkeys',
                                'sign_in_challenges', 'identities', 'account_handovers', 'known_devices')`,
      ),
    ).toEqual([]);
    expect(
      await world.sql(
        `select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where c.relnamespace = 'auth'::regnamespace and not tgisinternal`,
      ),
    ).toEqual([]);
  });

  it('fix the search path of every security definer function', async () => {
    expect(
      await world.sql(
        `select proname, proconfig from pg_proc
          where pronamespace = 'auth'::regnamespace and prosecdef
          order by proname`,
      ),
    ).toEqual([
      { proname: 'forget_instance_activity', proconfig: ['search_path=""'] },
      { proname: 'forget_sign_ins', proconfig: ['search_path=""'] },
    ]);
  });
});
