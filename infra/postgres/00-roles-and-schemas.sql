-- Roles, schemas and grants of the three services. It can be repeated.
--
-- Each service has two roles. <service>_owner owns its schema, runs migrations and cannot log in. The
-- service works as <service>_app, which may only select, insert, update and delete in that schema.
-- Row-level security applies to <service>_app, because it owns nothing.
--
-- The passwords are SCRAM-SHA-256 verifiers in the settings commonplace.<service>_password of the
-- surrounding transaction. PostgreSQL logs the text of failed statements, which must not contain a
-- password.
--
-- A superuser may run this, or a role with CREATEROLE and with CREATE on the database.
--
-- The parts between the lines "-- next part" run in one transaction. On Citus each has its own, because the other
-- nodes see roles and schemas only when they are committed.

-- Roles belong to the whole cluster; other databases share them.
do $$
declare
  service text;
  role_name text;
begin
  foreach service in array array['auth', 'agents', 'notes'] loop
    foreach role_name in array array[service || '_owner', service || '_app'] loop
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
      if exists (select from pg_roles where rolname = role_name and (rolsuper or rolbypassrls)) then
        raise exception 'Role % must not be a superuser or bypass row-level security.', role_name;
      end if;
    end loop;
    execute format(
      'alter role %I login password %L',
      service || '_app',
      current_setting(format('commonplace.%s_password', service))
    );
    -- Set for the role, not for each session, because a connection pooler does not forward settings.
    execute format('alter role %I set statement_timeout = %L', service || '_app', '15s');
    execute format(
      'alter role %I set idle_in_transaction_session_timeout = %L', service || '_app', '10s'
    );
    -- Costs are high where a statement avoids a kind of plan, so PostgreSQL would compile small statements.
    execute format('alter role %I set jit = off', service || '_app');
    execute format('alter role %I set jit = off', service || '_owner');
  end loop;
end
$$;

-- Only a superuser or a member of the owners can act as them. Since PostgreSQL 16 a member need not
-- inherit their rights.
do $$
declare
  owner_name text;
  is_member boolean;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  foreach owner_name in array array['auth_owner', 'agents_owner', 'notes_owner'] loop
    if current_setting('server_version_num')::integer < 160000 then
      execute format('grant %I to current_user', owner_name);
    else
      execute format('select pg_has_role(%L, ''SET'')', owner_name) into is_member;
      if not is_member then
        execute format('grant %I to current_user with set true, inherit false', owner_name);
      end if;
    end if;
  end loop;
end
$$;

-- next part
-- Schemas and grants belong to one database.
do $$
declare
  service text;
  owner_name text;
begin
  foreach service in array array['auth', 'agents', 'notes'] loop
    owner_name := service || '_owner';
    execute format('create schema if not exists %I authorization %I', service, owner_name);
    if (select nspowner <> owner_name::regrole from pg_namespace where nspname = service) then
      raise exception 'Schema % exists and does not belong to %: use a database of our own.',
        service, owner_name;
    end if;
  end loop;
end
$$;

-- next part
-- Only the owner of a schema can grant rights on it.
do $$
declare
  service text;
  owner_name text;
  app_name text;
begin
  foreach service in array array['auth', 'agents', 'notes'] loop
    owner_name := service || '_owner';
    app_name := service || '_app';
    execute format('set local role %I', owner_name);
    execute format('revoke all on schema %I from public', service);
    execute format('grant usage on schema %I to %I', service, app_name);
    -- Applies to every schema, because PUBLIC may execute new functions unless this says otherwise.
    alter default privileges revoke execute on functions from public;
    execute format(
      'alter default privileges in schema %I grant select, insert, update, delete on tables to %I',
      service, app_name
    );
    execute format(
      'alter default privileges in schema %I grant usage on sequences to %I', service, app_name
    );
    execute format(
      'alter default privileges in schema %I grant execute on functions to %I', service, app_name
    );
    reset role;
  end loop;
end
$$;

-- Nothing of ours is in the schema that every role can see.
revoke all on schema public from public;
