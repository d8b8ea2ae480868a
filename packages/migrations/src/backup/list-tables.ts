import type { Client } from 'pg';
import type { ArchiveTable } from './archive-format.ts';

/**
 * The tables of the services, each after those it refers to. The histories of migrations are left out, because a
 * restore runs the migrations, and so are access tokens of connections: clients get new ones.
 */
export const listTables = async (client: Pick<Client, 'query'>): Promise<ArchiveTable[]> =>
  (await client.query<ArchiveTable>(tablesInOrder)).rows;

/** A reference of a table to itself is checked at the end of its COPY, and so needs no order. */
const tablesInOrder = `
  with recursive tables as (
    select c.oid, n.nspname::text as service, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('auth', 'agents', 'notes')
      and c.relkind in ('r', 'p')
      and not c.relispartition
      and c.relname not like 'knex\\_%'
      and (n.nspname, c.relname) <> ('agents', 'connection_tokens')
  ),
  ranked as (
    select oid, 0 as rank from tables
    union
    select f.conrelid, r.rank + 1
    from ranked r
    join pg_constraint f on f.contype = 'f' and f.confrelid = r.oid and f.conrelid <> f.confrelid
  )
  select t.service, t.name, (
    select array_agg(quote_ident(a.attname) order by a.attnum)
    from pg_attribute a
    where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  ) as columns
  from tables t
  join ranked r on r.oid = t.oid
  group by t.oid, t.service, t.name
  order by max(r.rank), t.name`;
