import type { Client } from 'pg';
import type { ServiceName } from './service-names.ts';

/**
 * The schema of a service as text, in a fixed order: tables with columns and constraints, indexes, policies,
 * functions and grants. Two databases with the same text are equal to the code. `services/<service>/schema.sql` has
 * this text, so that a review shows what a migration changes.
 */
export const dumpSchema = async (
  client: Pick<Client, 'query'>,
  service: ServiceName,
): Promise<string> => {
  const { rows } = await client.query<{ text: string }>(everything, [service]);
  const lines = rows.map(({ text }) => text.trimEnd());
  return `-- Written by pnpm schema from the migrations; not read by any program.\n\n${lines.join('\n\n')}\n`;
};

/** One row per object: its kind (for the order), its name, and its definition. */
const everything = `
  with own_tables as (
    select c.oid, c.relname, c.reloptions, c.relrowsecurity, c.relforcerowsecurity, c.relpersistence,
      c.relacl, c.relowner
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname not like 'knex\\_%'
  ),
  columns as (
    select a.attrelid, string_agg(
      format(E'\\n  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')),
      ',' order by a.attname) as text
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    group by a.attrelid
  ),
  constraints as (
    select conrelid, string_agg(format(E'\\n  constraint %I %s', conname, pg_get_constraintdef(oid)),
      ',' order by conname) as text
    from pg_constraint
    where contype <> 'n'
    group by conrelid
  ),
  things as (
    select 1 as rank, t.relname::text as name,
      format(E'create table %I.%I (%s%s%s\\n)%s;', $1::text, t.relname, c.text,
        case when k.text is null then '' else ',' end, coalesce(k.text, ''),
        coalesce(' with (' || array_to_string(t.reloptions, ', ') || ')', ''))
      || case when t.relrowsecurity
        then format(E'\\nalter table %I.%I enable row level security;', $1::text, t.relname) else '' end
      || case when t.relforcerowsecurity
        then format(E'\\nalter table %I.%I force row level security;', $1::text, t.relname) else '' end
      || coalesce((select string_agg(E'\\n' || rights.text, '' order by rights.text) from (
          select format('grant %s on %I.%I to %s;',
            lower(string_agg(x.privilege_type, ', ' order by x.privilege_type)), $1::text, t.relname,
            coalesce(r.rolname, 'public')) as text
          from aclexplode(coalesce(t.relacl, acldefault('r', t.relowner))) x
          left join pg_roles r on r.oid = x.grantee
          where x.grantee <> t.relowner
          group by r.rolname
        ) rights), '') as text
    from own_tables t
    left join columns c on c.attrelid = t.oid
    left join constraints k on k.conrelid = t.oid
    union all
    select 2, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) || ';'
    from pg_index i
    join own_tables t on t.oid = i.indrelid
    where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    union all
    select 3, t.relname || ' ' || p.polname,
      format(E'create policy %I on %I.%I for %s\\n  using (%s)%s;', p.polname, $1::text, t.relname,
        case p.polcmd when '*' then 'all' else p.polcmd::text end, pg_get_expr(p.polqual, p.polrelid),
        coalesce(E'\\n  with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', ''))
    from pg_policy p
    join own_tables t on t.oid = p.polrelid
    union all
    select 4, p.proname || pg_get_function_identity_arguments(p.oid), pg_get_functiondef(p.oid) || ';'
      || coalesce((select string_agg(
          format(E'\\ngrant execute on function %I.%I to %s;', $1::text, p.proname, coalesce(r.rolname, 'public')),
          '' order by r.rolname)
        from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x
        left join pg_roles r on r.oid = x.grantee
        where x.grantee <> p.proowner), '')
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = $1
  )
  select text from things order by rank, name collate "C"`;
