import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '@commonplace/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { migrateAll } from '../src/index.ts';

/*
 * The rules that let Citus take over when one PostgreSQL is outgrown (docs/architecture.md, "Services"), held
 * over the catalogue of a migrated database: a migration that breaks one fails here, not years later.
 */
const passwords = {
  auth: 'auth-database-password',
  agents: 'agents-database-password',
  notes: 'notes-database-password',
};

/** Facts that hold across companies. An entry here declares that the table belongs to no company. */
const globalTables = [
  'agents.configuration_fingerprints',
  'agents.connection_tokens',
  'agents.entity_owners',
  'agents.invite_digests',
  'agents.key_digests',
  'notes.job_queue',
  'notes.note_owner',
];

let folder: string;
let postgres: RunningPostgres;
let client: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-schema-'));
  postgres = await startPostgres({ dataDir: folder, fsync: false });
  await migrateAll({ adminUrl: postgres.url, passwords });
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
}, 120_000);

afterAll(async () => {
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const namesOf = async (sql: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(sql);
  return rows.map(({ name }) => name).toSorted();
};

/** Tables of the schemas that have companies in them. */
const tables = `
  select c.oid, c.relrowsecurity, c.relpersistence, format('%s.%s', n.nspname, c.relname) as name
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('agents', 'notes') and c.relkind in ('r', 'p') and c.relname not like 'knex\\_%'`;

/** Those of tenants are the ones under row-level security. */
const tenantTables = `select * from (${tables}) t where relrowsecurity`;

describe('every tenant table', () => {
  it('is under row-level security; what is not is one of the few global tables', async () => {
    expect(await namesOf(`select name from (${tables}) t where not relrowsecurity`)).toEqual(
      globalTables,
    );
    expect((await namesOf(`select name from (${tenantTables}) t`)).length).toBeGreaterThan(10);
  });

  it('has a policy that compares its company with that of the transaction', async () => {
    const confined = await namesOf(`
      select distinct t.name from (${tenantTables}) t
      join pg_policy p on p.polrelid = t.oid
      where pg_get_expr(p.polqual, p.polrelid) like '%company_id = %app.company_id%'`);
    expect(confined).toEqual(await namesOf(`select name from (${tenantTables}) t`));
  });

  it('has no policy besides that shows or takes more', async () => {
    const own = `company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid`;
    const wider = await namesOf(`
      select format('%s: %s', t.name, p.polname) as name from (${tenantTables}) t
      join pg_policy p on p.polrelid = t.oid and p.polpermissive
      cross join pg_get_expr(p.polqual, p.polrelid) as shown
      where p.polwithcheck is not null
        or not (shown = $$(${own})$$ or starts_with(shown, $$((${own}) AND $$))`);
    expect(wider).toEqual([]);
  });

  it('has a company_id that is a uuid and never null', async () => {
    const withColumn = await namesOf(`
      select t.name from (${tenantTables}) t
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id'
      where a.attnotnull and a.atttypid = 'uuid'::regtype`);
    expect(withColumn).toEqual(await namesOf(`select name from (${tenantTables}) t`));
  });

  it('has the company in its primary key', async () => {
    const withKey = await namesOf(`
      select t.name from (${tenantTables}) t
      join pg_index i on i.indrelid = t.oid and i.indisprimary
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id'
      where a.attnum = any (i.indkey)`);
    expect(withKey).toEqual(await namesOf(`select name from (${tenantTables}) t`));
  });

  it('has the company in everything that is unique', async () => {
    const wrong = await namesOf(`
      select i.indexrelid::regclass::text as name from (${tenantTables}) t
      join pg_index i on i.indrelid = t.oid and i.indisunique
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'company_id'
      where a.attnum <> all (i.indkey)`);
    expect(wrong).toEqual([]);
  });
});

describe('every foreign key', () => {
  it('stays within one company: company_id refers to company_id', async () => {
    const all = await namesOf(`
      select f.conname as name from pg_constraint f join (${tables}) t on t.oid = f.conrelid
      where f.contype = 'f'`);
    const within = await namesOf(`
      select f.conname as name
      from pg_constraint f
      join (${tenantTables}) t on t.oid = f.conrelid
      join (${tenantTables}) r on r.oid = f.confrelid
      join pg_attribute a on a.attrelid = f.conrelid and a.attname = 'company_id'
      join pg_attribute b on b.attrelid = f.confrelid and b.attname = 'company_id'
      where f.contype = 'f'
        and f.confkey[array_position(f.conkey, a.attnum)] = b.attnum`);
    expect(all.length).toBeGreaterThan(0);
    expect(within).toEqual(all);
  });

  it('does nothing or cascades', async () => {
    const others = await namesOf(`
      select f.conname as name from pg_constraint f join (${tables}) t on t.oid = f.conrelid
      where f.contype = 'f' and (f.confupdtype not in ('a', 'c') or f.confdeltype not in ('a', 'c'))`);
    expect(others).toEqual([]);
  });
});

describe('no table', () => {
  it('has a trigger', async () => {
    const triggers = await namesOf(`
      select g.tgname as name from pg_trigger g join (${tables}) t on t.oid = g.tgrelid
      where not g.tgisinternal`);
    expect(triggers).toEqual([]);
  });

  it('is unlogged', async () => {
    expect(await namesOf(`select name from (${tables}) t where relpersistence <> 'p'`)).toEqual([]);
  });
});

describe('every inverted index', () => {
  it('keeps what every lookup has to read beside it below 1 MB', async () => {
    const ofKind = `
      select i.oid::regclass::text as name from pg_class i
      join pg_am a on a.oid = i.relam and a.amname = 'gin'
      join pg_namespace n on n.oid = i.relnamespace and n.nspname in ('auth', 'agents', 'notes')`;
    const bounded = `${ofKind}
      where i.reloptions && array['fastupdate=off']
        or exists (select from pg_options_to_table(i.reloptions) o
          where o.option_name = 'gin_pending_list_limit' and o.option_value::integer <= 1024)`;
    expect(await namesOf(ofKind)).not.toEqual([]);
    expect(await namesOf(bounded)).toEqual(await namesOf(ofKind));
  });
});

describe('the distribution over a Citus cluster', () => {
  it('is nothing on a plain PostgreSQL', async () => {
    const lines: string[] = [];
    await migrateAll({ adminUrl: postgres.url, passwords, log: (line) => void lines.push(line) });
    expect(lines).toEqual([]);
  });

  it('spreads every tenant table once, with its companies, after those it refers to', async () => {
    // Stand-ins with the signatures of Citus, which note what they were called with.
    await client.query(`
      create table public.pg_dist_partition (
        position serial, logicalrelid regclass, colocated text, partmethod "char");
      create function public.create_distributed_table(t regclass, c text, colocate_with text)
        returns void language sql
        begin atomic
          insert into public.pg_dist_partition (logicalrelid, colocated, partmethod)
          values (t, colocate_with, 'h');
        end;
      create function public.truncate_local_data_after_distributing_table(t regclass)
        returns void language sql begin atomic end;
      create table public.pg_dist_object (classid oid, objid oid);
      create function public.create_distributed_function(name text)
        returns void language sql
        begin atomic
          insert into public.pg_dist_object (classid, objid)
          values ('pg_proc'::regclass, name::regprocedure);
        end;
      create function public.citus_add_local_table_to_metadata(t regclass)
        returns void language sql
        begin atomic
          insert into public.pg_dist_partition (logicalrelid, colocated, partmethod)
          values (t, 'local', 'n');
        end;`);
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    await migrateAll({ adminUrl: postgres.url, passwords, log });
    await migrateAll({ adminUrl: postgres.url, passwords, log });
    const { rows } = await client.query<{ name: string; colocated: string }>(
      'select logicalrelid::text as name, colocated from public.pg_dist_partition order by position',
    );
    const local = rows.filter(({ colocated }) => colocated === 'local').map(({ name }) => name);
    const spread = rows.filter(({ colocated }) => colocated !== 'local');
    expect(local.toSorted()).toEqual(
      [...globalTables, 'agents.knex_migrations', 'notes.knex_migrations'].toSorted(),
    );
    expect(spread[0]).toEqual({ name: 'agents.companies', colocated: 'none' });
    expect(new Set(spread.slice(1).map(({ colocated }) => colocated))).toEqual(
      new Set(['agents.companies']),
    );
    expect(spread.map(({ name }) => name).toSorted()).toEqual(
      await namesOf(`select name from (${tenantTables}) t`),
    );
    const positionOf = (name: string) => spread.findIndex((table) => table.name === name);
    expect(positionOf('agents.keys')).toBeGreaterThan(positionOf('agents.agents'));
    expect(lines).toHaveLength(rows.length);
  });
});
