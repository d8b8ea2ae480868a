import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWorld, type World } from './support/agents-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('the migrations', () => {
  it('are all applied, each once', async () => {
    const rows = await world.sql('select name from agents.knex_migrations order by id');
    expect(rows.map(({ name }) => name)).toEqual([
      '0001_create_companies',
      '0002_create_agents',
      '0003_create_keys',
      '0004_create_runs',
      '0005_create_activity',
      '0006_remember_accepted_invites',
      '0007_queue_run_cancellations',
      '0008_remember_who_invited',
      '0009_create_configuration_fingerprints',
      '0010_list_runs_of_companies',
      '0011_add_scopes',
      '0012_create_usage_days',
      '0013_index_runs',
      '0014_plan_functions_on_citus',
      '0015_add_currency',
      '0016_add_run_sources',
      '0017_index_run_sources',
      '0018_name_all_scopes_once',
      '0019_add_source_epochs',
      '0020_book_usage',
      '0021_add_up_company_months',
      '0022_create_connections',
      '0023_add_grants',
      '0024_add_member_grants',
      '0025_list_keys_of_companies',
      '0027_add_proposal_deciders',
      '0028_add_invite_grants',
      '0029_sweep_active_connections',
    ]);
  });

  it('include company_id in every key of a tenant table, as a distributed PostgreSQL requires', async () => {
    const without = await world.sql(
      `select con.conrelid::regclass::text as "table", con.conname
       from pg_constraint con
       join pg_class c on c.oid = con.conrelid
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
       where c.relnamespace = 'agents'::regnamespace and c.relrowsecurity
         and con.contype in ('p', 'u', 'f') and not a.attnum = any (con.conkey)`,
    );
    expect(without).toEqual([]);
  });

  it('create no trigger and no unlogged table, which a distributed PostgreSQL does not support', async () => {
    const triggers = await world.sql(
      `select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where c.relnamespace = 'agents'::regnamespace and not tgisinternal`,
    );
    const unlogged = await world.sql(
      `select relname from pg_class
       where relnamespace = 'agents'::regnamespace and relpersistence <> 'p'`,
    );
    expect([triggers, unlogged]).toEqual([[], []]);
  });

  it('fix the search path of every security definer function, and revoke it from others', async () => {
    const functions = await world.sql(
      `select proname, proconfig, prosecdef,
         has_function_privilege('notes_app', oid, 'execute') as "isOpenToNotes",
         has_function_privilege('agents_app', oid, 'execute') as "isOpenToAgents"
       from pg_proc where pronamespace = 'agents'::regnamespace order by proname`,
    );
    expect(functions.map(({ proname }) => proname)).toEqual([
      'all_companies',
      'companies_of_operator',
      'companies_with_active_connections_of_operator',
      'companies_with_connections_of_operator',
      'companies_with_lapsed_runs',
      'companies_with_old_usage_reports',
      'companies_with_run_cancellations',
      'companies_with_runs_before_epoch',
      'companies_with_runs_of_operator',
      'companies_with_source_cancellations',
      'companies_with_uncounted_runs',
      'find_ended_run',
      'list_all_companies',
      'list_companies_of_member',
      'list_companies_of_operator',
      'operators_with_active_connections',
      'operators_with_connections',
      'operators_with_running_runs',
      'touch_connections',
      'touch_keys',
      'verify_connection',
      'verify_granted_connection',
      'verify_granted_key',
      'verify_granted_run',
      'verify_key',
      'verify_member_connection',
      'verify_run',
      'verify_run_of_epoch',
      'verify_run_of_source',
      'verify_scoped_key',
      'verify_scoped_run',
    ]);
    for (const one of functions) {
      expect(one).toMatchObject({
        proconfig: ['search_path=""'],
        prosecdef: true,
        isOpenToNotes: false,
        isOpenToAgents: true,
      });
    }
  });
});
