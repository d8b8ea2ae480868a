-- Written by pnpm schema from the migrations; not read by any program.

create table agents.activity (
  action text not null,
  actor_id uuid,
  actor_kind text not null,
  actor_name text not null,
  at timestamp(3) with time zone not null,
  company_id uuid not null,
  detail jsonb not null,
  entity_id uuid not null,
  entity_type text not null,
  id uuid not null,
  key_id uuid,
  run_id uuid,
  constraint activity_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['agent'::text, 'operator'::text, 'system'::text]))),
  constraint activity_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint activity_pkey PRIMARY KEY (company_id, id)
);
alter table agents.activity enable row level security;
grant insert, select on agents.activity to agents_app;

create table agents.agents (
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  grants json,
  id uuid not null,
  monthly_cents bigint,
  monthly_tokens bigint,
  name text not null,
  reports_to uuid,
  role text not null,
  status text not null,
  title text not null,
  updated_at timestamp(3) with time zone not null,
  constraint agents_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint agents_company_id_reports_to_fkey FOREIGN KEY (company_id, reports_to) REFERENCES agents.agents(company_id, id),
  constraint agents_monthly_cents_check CHECK ((monthly_cents >= 0)),
  constraint agents_pkey PRIMARY KEY (company_id, id),
  constraint agents_status_check CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'terminated'::text])))
);
alter table agents.agents enable row level security;
grant delete, insert, select, update on agents.agents to agents_app;

create table agents.budget_months (
  agent_id uuid not null,
  carried_cents bigint not null default 0,
  carried_tokens bigint not null default 0,
  company_id uuid not null,
  month date not null,
  reserved_cents bigint not null default 0,
  spent_cents bigint not null default 0,
  spent_tokens bigint not null default 0,
  warned_cents bigint,
  warned_tokens bigint,
  constraint budget_months_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint budget_months_pkey PRIMARY KEY (company_id, agent_id, month),
  constraint budget_months_reserved_cents_check CHECK ((reserved_cents >= 0)),
  constraint budget_months_spent_cents_check CHECK ((spent_cents >= 0))
);
alter table agents.budget_months enable row level security;
grant delete, insert, select, update on agents.budget_months to agents_app;

create table agents.companies (
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  currency text not null default 'USD'::text,
  monthly_cents bigint,
  monthly_tokens bigint,
  name text not null,
  proposals_decided_by text not null default 'operators'::text,
  status text not null,
  updated_at timestamp(3) with time zone not null,
  constraint companies_pkey PRIMARY KEY (company_id),
  constraint companies_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
alter table agents.companies enable row level security;
grant delete, insert, select, update on agents.companies to agents_app;

create table agents.company_months (
  carried_cents bigint not null default 0,
  carried_tokens bigint not null default 0,
  company_id uuid not null,
  month date not null,
  reserved_cents bigint not null default 0,
  spent_cents bigint not null default 0,
  spent_tokens bigint not null default 0,
  warned_cents bigint,
  warned_tokens bigint,
  constraint company_months_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint company_months_pkey PRIMARY KEY (company_id, month)
);
alter table agents.company_months enable row level security;
grant delete, insert, select, update on agents.company_months to agents_app;

create table agents.configuration_fingerprints (
  fingerprint text not null,
  first_seen_at timestamp(3) with time zone not null,
  name text not null,
  constraint configuration_fingerprints_pkey PRIMARY KEY (name, fingerprint)
);
grant delete, insert, select, update on agents.configuration_fingerprints to agents_app;

create table agents.connection_tokens (
  company_id uuid not null,
  connection_id uuid not null,
  digest bytea not null,
  expires_at timestamp(3) with time zone not null,
  resource text not null,
  constraint connection_tokens_pkey PRIMARY KEY (digest)
);
grant delete, insert, select, update on agents.connection_tokens to agents_app;

create table agents.connections (
  access_epoch integer,
  agent_id uuid not null,
  client_host text not null,
  client_id text not null,
  client_name text not null,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  created_by uuid not null,
  expires_at timestamp(3) with time zone,
  grants json,
  id uuid not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  scopes text[] not null,
  constraint connections_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint connections_pkey PRIMARY KEY (company_id, id),
  constraint connections_scopes_check CHECK ((cardinality(scopes) > 0))
);
alter table agents.connections enable row level security;
grant delete, insert, select, update on agents.connections to agents_app;

create table agents.entity_owners (
  company_id uuid not null,
  id uuid not null,
  kind text not null,
  constraint entity_owners_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'key'::text, 'connection'::text, 'run'::text, 'invite'::text]))) NOT VALID,
  constraint entity_owners_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on agents.entity_owners to agents_app;

create table agents.invite_digests (
  company_id uuid not null,
  invite_id uuid not null,
  token_digest bytea not null,
  constraint invite_digests_pkey PRIMARY KEY (token_digest)
);
grant delete, insert, select, update on agents.invite_digests to agents_app;

create table agents.invites (
  accepted_by uuid,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  email text not null,
  expires_at timestamp(3) with time zone not null,
  grants json,
  id uuid not null,
  invited_by uuid,
  inviter_epoch integer,
  role text not null,
  token_digest bytea not null,
  constraint invites_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint invites_pkey PRIMARY KEY (company_id, id),
  constraint invites_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'granted_viewer'::text, 'operator'::text, 'owner'::text])))
);
alter table agents.invites enable row level security;
grant delete, insert, select, update on agents.invites to agents_app;

create table agents.key_digests (
  company_id uuid not null,
  digest bytea not null,
  key_id uuid not null,
  constraint key_digests_pkey PRIMARY KEY (digest)
);
grant delete, insert, select, update on agents.key_digests to agents_app;

create table agents.keys (
  agent_id uuid not null,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  created_by uuid not null,
  expires_at timestamp(3) with time zone,
  grants json,
  id uuid not null,
  keeps_runs boolean not null default false,
  last_used_at timestamp(3) with time zone,
  name text not null,
  prefix text not null,
  replaced_by uuid,
  revoked_at timestamp(3) with time zone,
  scopes text[],
  constraint keys_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint keys_pkey PRIMARY KEY (company_id, id),
  constraint keys_scopes_check CHECK ((cardinality(scopes) > 0))
);
alter table agents.keys enable row level security;
grant delete, insert, select, update on agents.keys to agents_app;

create table agents.memberships (
  company_id uuid not null,
  email text not null,
  grants json,
  name text not null,
  operator_id uuid not null,
  role text not null,
  since timestamp(3) with time zone not null,
  constraint memberships_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint memberships_pkey PRIMARY KEY (company_id, operator_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'granted_viewer'::text, 'operator'::text, 'owner'::text])))
);
alter table agents.memberships enable row level security;
grant delete, insert, select, update on agents.memberships to agents_app;

create table agents.run_cancellations (
  actor jsonb not null,
  agent_id uuid,
  at timestamp(3) with time zone not null,
  because text not null,
  company_id uuid not null,
  id uuid not null,
  constraint run_cancellations_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint run_cancellations_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint run_cancellations_pkey PRIMARY KEY (company_id, id)
);
alter table agents.run_cancellations enable row level security;
grant delete, insert, select, update on agents.run_cancellations to agents_app;

create table agents.runs (
  agent_id uuid not null,
  budget_month date not null,
  company_id uuid not null,
  cost_cents bigint,
  end_reason text,
  finished_at timestamp(3) with time zone,
  grants json,
  id uuid not null,
  input_tokens bigint not null default 0,
  is_counted boolean not null default false,
  output_tokens bigint not null default 0,
  reported_cents bigint,
  reports integer not null default 0,
  reserved_cents bigint not null,
  scopes text[],
  source_epoch integer,
  source_key_id uuid,
  source_operator_id uuid,
  started_at timestamp(3) with time zone not null,
  status text not null,
  token_expires_at timestamp(3) with time zone not null,
  trigger text not null,
  ttl_seconds integer not null,
  constraint runs_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint runs_cost_cents_check CHECK ((cost_cents >= 0)),
  constraint runs_pkey PRIMARY KEY (company_id, id),
  constraint runs_reserved_cents_check CHECK ((reserved_cents >= 0)),
  constraint runs_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text, 'expired'::text]))),
  constraint runs_trigger_check CHECK ((trigger = ANY (ARRAY['manual'::text, 'schedule'::text, 'event'::text])))
);
alter table agents.runs enable row level security;
grant delete, insert, select, update on agents.runs to agents_app;

create table agents.source_cancellations (
  actor jsonb not null,
  at timestamp(3) with time zone not null,
  because text not null,
  before_epoch integer,
  company_id uuid not null,
  id uuid not null,
  key_id uuid,
  operator_id uuid,
  constraint source_cancellations_check CHECK (((key_id IS NULL) <> (operator_id IS NULL))),
  constraint source_cancellations_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint source_cancellations_pkey PRIMARY KEY (company_id, id)
);
alter table agents.source_cancellations enable row level security;
grant delete, insert, select, update on agents.source_cancellations to agents_app;

create table agents.usage_days (
  agent_id uuid not null,
  cancelled_runs bigint not null,
  company_id uuid not null,
  cost_cents bigint not null,
  day date not null,
  expired_runs bigint not null,
  failed_runs bigint not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  reports bigint not null default 0,
  succeeded_runs bigint not null,
  constraint usage_days_cancelled_runs_check CHECK ((cancelled_runs >= 0)),
  constraint usage_days_company_id_agent_id_fkey FOREIGN KEY (company_id, agent_id) REFERENCES agents.agents(company_id, id),
  constraint usage_days_expired_runs_check CHECK ((expired_runs >= 0)),
  constraint usage_days_failed_runs_check CHECK ((failed_runs >= 0)),
  constraint usage_days_pkey PRIMARY KEY (company_id, day, agent_id),
  constraint usage_days_succeeded_runs_check CHECK ((succeeded_runs >= 0))
);
alter table agents.usage_days enable row level security;
grant delete, insert, select, update on agents.usage_days to agents_app;

create table agents.usage_models (
  company_id uuid not null,
  cost_cents bigint not null,
  day date not null,
  input_tokens bigint not null,
  model text not null,
  output_tokens bigint not null,
  reports bigint not null,
  constraint usage_models_company_id_fkey FOREIGN KEY (company_id) REFERENCES agents.companies(company_id),
  constraint usage_models_pkey PRIMARY KEY (company_id, day, model)
);
alter table agents.usage_models enable row level security;
grant delete, insert, select, update on agents.usage_models to agents_app;

create table agents.usage_reports (
  at timestamp(3) with time zone not null,
  company_id uuid not null,
  cost_cents bigint,
  exceeded jsonb,
  input_tokens bigint not null,
  model text,
  mutation_id text not null,
  outcome text not null,
  output_tokens bigint not null,
  run_id uuid not null,
  total_cents bigint,
  total_input_tokens bigint not null,
  total_output_tokens bigint not null,
  constraint usage_reports_company_id_run_id_fkey FOREIGN KEY (company_id, run_id) REFERENCES agents.runs(company_id, id),
  constraint usage_reports_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'exceeded'::text, 'refused'::text]))),
  constraint usage_reports_pkey PRIMARY KEY (company_id, run_id, mutation_id)
);
alter table agents.usage_reports enable row level security;
grant delete, insert, select, update on agents.usage_reports to agents_app;

CREATE INDEX active_connections_by_operator ON agents.connections USING btree (created_by, company_id) WHERE (revoked_at IS NULL);

CREATE INDEX activity_by_action ON agents.activity USING btree (company_id, action, at DESC, id DESC);

CREATE INDEX activity_by_actor ON agents.activity USING btree (company_id, actor_id, at DESC, id DESC);

CREATE INDEX activity_by_entity ON agents.activity USING btree (company_id, entity_id, at DESC, id DESC);

CREATE INDEX activity_by_time ON agents.activity USING btree (company_id, at DESC, id DESC);

CREATE INDEX agents_by_manager ON agents.agents USING btree (company_id, reports_to);

CREATE INDEX agents_by_name ON agents.agents USING btree (company_id, name, id);

CREATE INDEX companies_by_name ON agents.companies USING btree (name, company_id);

CREATE INDEX connection_tokens_by_connection ON agents.connection_tokens USING btree (connection_id);

CREATE INDEX connection_tokens_by_expiry ON agents.connection_tokens USING btree (expires_at);

CREATE INDEX connections_by_agent ON agents.connections USING btree (company_id, agent_id, created_at DESC, id DESC);

CREATE INDEX connections_by_time ON agents.connections USING btree (company_id, created_at DESC, id DESC);

CREATE INDEX invites_by_time ON agents.invites USING btree (company_id, created_at DESC, id DESC);

CREATE INDEX keys_by_agent ON agents.keys USING btree (company_id, agent_id, created_at DESC, id DESC);

CREATE INDEX keys_by_creation ON agents.keys USING btree (company_id, created_at DESC, id DESC);

CREATE INDEX keys_unrevoked ON agents.keys USING btree (company_id, agent_id, expires_at) WHERE (revoked_at IS NULL);

CREATE INDEX memberships_by_name ON agents.memberships USING btree (company_id, name, operator_id);

CREATE INDEX memberships_by_operator ON agents.memberships USING btree (operator_id);

CREATE INDEX run_cancellations_by_time ON agents.run_cancellations USING btree (at);

CREATE INDEX runs_by_agent ON agents.runs USING btree (company_id, agent_id, started_at DESC, id DESC);

CREATE INDEX runs_by_agent_and_status ON agents.runs USING btree (company_id, agent_id, status, started_at DESC, id DESC);

CREATE INDEX runs_by_company ON agents.runs USING btree (company_id, started_at DESC, id DESC);

CREATE INDEX runs_by_status ON agents.runs USING btree (company_id, status, started_at DESC, id DESC);

CREATE INDEX runs_running ON agents.runs USING btree (token_expires_at) WHERE (status = 'running'::text);

CREATE INDEX runs_running_by_agent ON agents.runs USING btree (company_id, agent_id) WHERE (status = 'running'::text);

CREATE INDEX runs_running_by_expiry ON agents.runs USING btree (company_id, agent_id, token_expires_at) WHERE (status = 'running'::text);

CREATE INDEX runs_running_by_key ON agents.runs USING btree (company_id, source_key_id) WHERE ((status = 'running'::text) AND (source_key_id IS NOT NULL));

CREATE INDEX runs_running_by_operator ON agents.runs USING btree (source_operator_id, company_id) WHERE ((status = 'running'::text) AND (source_operator_id IS NOT NULL));

CREATE INDEX runs_uncounted ON agents.runs USING btree (company_id, id) WHERE ((NOT is_counted) AND (status <> 'running'::text));

CREATE INDEX source_cancellations_by_time ON agents.source_cancellations USING btree (at);

CREATE INDEX usage_reports_by_run ON agents.usage_reports USING btree (company_id, run_id, at DESC, mutation_id DESC);

CREATE INDEX usage_reports_by_time ON agents.usage_reports USING btree (at, company_id);

create policy one_company on agents.activity for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.agents for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.budget_months for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.companies for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.company_months for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.connections for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.invites for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.keys for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.memberships for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.run_cancellations for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.runs for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.source_cancellations for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.usage_days for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.usage_models for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy one_company on agents.usage_reports for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

CREATE OR REPLACE FUNCTION agents.all_companies(p_after_name text, p_after_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid, name text, status text, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select c.company_id, c.name, c.status, c.created_at::timestamptz, c.updated_at::timestamptz
        from agents.companies c
        where (c.name, c.company_id)
          > (coalesce(p_after_name, ''), coalesce(p_after_id, '00000000-0000-0000-0000-000000000000'))
        order by c.name, c.company_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.all_companies to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_of_operator(p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid, name text, status text, role text, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select c.company_id, c.name, c.status, m.role, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.companies_of_operator to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_active_connections_of_operator(p_operator_id uuid, p_before_epoch integer, p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct n.company_id
        from agents.connections n
        where n.revoked_at is null and n.created_by = p_operator_id
          and (n.expires_at is null or n.expires_at > p_now)
          and (p_before_epoch is null or coalesce(n.access_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $function$
;
grant execute on function agents.companies_with_active_connections_of_operator to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_connections_of_operator(p_operator_id uuid, p_before_epoch integer, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct n.company_id
        from agents.connections n
        where n.revoked_at is null and n.created_by = p_operator_id
          and (p_before_epoch is null or coalesce(n.access_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $function$
;
grant execute on function agents.companies_with_connections_of_operator to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_lapsed_runs(p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct lapsed.company_id
        from (
          select r.company_id
          from agents.runs r
          where r.status = 'running' and r.token_expires_at <= p_now
          order by r.token_expires_at
          limit p_limit
        ) lapsed;
    end
    $function$
;
grant execute on function agents.companies_with_lapsed_runs to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_old_usage_reports(p_before timestamp with time zone, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct oldest.company_id
        from (
          select r.company_id
          from agents.usage_reports r
          where r.at < p_before
          order by r.at
          limit p_limit
        ) oldest;
    end
    $function$
;
grant execute on function agents.companies_with_old_usage_reports to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_run_cancellations(p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct oldest.company_id
        from (
          select c.company_id from agents.run_cancellations c order by c.at limit p_limit
        ) oldest;
    end
    $function$
;
grant execute on function agents.companies_with_run_cancellations to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_runs_before_epoch(p_operator_id uuid, p_before_epoch integer, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct r.company_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id = p_operator_id
          and (p_before_epoch is null or coalesce(r.source_epoch, 0) < p_before_epoch)
        limit p_limit;
    end
    $function$
;
grant execute on function agents.companies_with_runs_before_epoch to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_runs_of_operator(p_operator_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct r.company_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id = p_operator_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.companies_with_runs_of_operator to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_source_cancellations(p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct oldest.company_id
        from (
          select c.company_id from agents.source_cancellations c order by c.at limit p_limit
        ) oldest;
    end
    $function$
;
grant execute on function agents.companies_with_source_cancellations to agents_app;

CREATE OR REPLACE FUNCTION agents.companies_with_uncounted_runs(p_limit integer)
 RETURNS TABLE(company_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct uncounted.company_id
        from (
          select r.company_id
          from agents.runs r
          where not r.is_counted and r.status <> 'running'
          limit p_limit
        ) uncounted;
    end
    $function$
;
grant execute on function agents.companies_with_uncounted_runs to agents_app;

CREATE OR REPLACE FUNCTION agents.find_ended_run(p_run_id uuid, p_since timestamp with time zone, p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone, scopes text[], ended_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      own uuid := (
        select o.company_id from agents.entity_owners o where o.id = p_run_id and o.kind = 'run'
      );
    begin
      return query
        select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at::timestamptz, r.scopes,
          coalesce(r.finished_at, r.token_expires_at)::timestamptz
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        where r.company_id = own and r.id = p_run_id
          and (r.status <> 'running' or r.token_expires_at <= p_now)
          and coalesce(r.finished_at, r.token_expires_at) > p_since
          and a.status <> 'terminated'
          and c.status = 'active';
    end
    $function$
;
grant execute on function agents.find_ended_run to agents_app;

CREATE OR REPLACE FUNCTION agents.list_all_companies(p_after_name text, p_after_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid, name text, status text, currency text, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.companies c
        where (c.name, c.company_id)
          > (coalesce(p_after_name, ''), coalesce(p_after_id, '00000000-0000-0000-0000-000000000000'))
        order by c.name, c.company_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.list_all_companies to agents_app;

CREATE OR REPLACE FUNCTION agents.list_companies_of_member(p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid, name text, status text, currency text, role text, grants json, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, case m.role when 'granted_viewer' then 'viewer' else m.role end, case m.role when 'granted_viewer' then coalesce(m.grants, '[]'::json) end,
          c.created_at::timestamptz, c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.list_companies_of_member to agents_app;

CREATE OR REPLACE FUNCTION agents.list_companies_of_operator(p_operator_id uuid, p_after_name text, p_after_id uuid, p_limit integer)
 RETURNS TABLE(company_id uuid, name text, status text, currency text, role text, created_at timestamp with time zone, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select c.company_id, c.name, c.status, c.currency, m.role, c.created_at::timestamptz,
          c.updated_at::timestamptz
        from agents.memberships m
        join agents.companies c on c.company_id = m.company_id
        where m.operator_id = p_operator_id and m.role <> 'granted_viewer'
          and (p_after_name is null or (c.name, c.company_id) > (p_after_name, p_after_id))
        order by c.name, c.company_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.list_companies_of_operator to agents_app;

CREATE OR REPLACE FUNCTION agents.operators_with_active_connections(p_after uuid, p_now timestamp with time zone, p_limit integer)
 RETURNS TABLE(operator_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct n.created_by
        from agents.connections n
        where n.revoked_at is null and n.created_by > p_after
          and (n.expires_at is null or n.expires_at > p_now)
        order by n.created_by
        limit p_limit;
    end
    $function$
;
grant execute on function agents.operators_with_active_connections to agents_app;

CREATE OR REPLACE FUNCTION agents.operators_with_connections(p_after uuid, p_limit integer)
 RETURNS TABLE(operator_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct n.created_by
        from agents.connections n
        where n.revoked_at is null and n.created_by > p_after
        order by n.created_by
        limit p_limit;
    end
    $function$
;
grant execute on function agents.operators_with_connections to agents_app;

CREATE OR REPLACE FUNCTION agents.operators_with_running_runs(p_after uuid, p_limit integer)
 RETURNS TABLE(operator_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select distinct r.source_operator_id
        from agents.runs r
        where r.status = 'running' and r.source_operator_id > p_after
        order by r.source_operator_id
        limit p_limit;
    end
    $function$
;
grant execute on function agents.operators_with_running_runs to agents_app;

CREATE OR REPLACE FUNCTION agents.touch_connections(p_company_ids uuid[], p_connection_ids uuid[], p_used_ats timestamp with time zone[], p_every interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      used record;
    begin
      for used in
        select u.company_id, u.connection_id, u.at
        from unnest(p_company_ids, p_connection_ids, p_used_ats) as u (company_id, connection_id, at)
        order by u.company_id, u.connection_id
      loop
        update agents.connections n
        set last_used_at = used.at
        where n.company_id = used.company_id
          and n.id = used.connection_id
          and (n.last_used_at is null or n.last_used_at <= used.at - p_every);
      end loop;
    end
    $function$
;
grant execute on function agents.touch_connections to agents_app;

CREATE OR REPLACE FUNCTION agents.touch_keys(p_company_ids uuid[], p_key_ids uuid[], p_used_ats timestamp with time zone[], p_every interval)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      used record;
    begin
      for used in
        select u.company_id, u.key_id, u.at
        from unnest(p_company_ids, p_key_ids, p_used_ats) as u (company_id, key_id, at)
        order by u.company_id, u.key_id
      loop
        update agents.keys k
        set last_used_at = used.at
        where k.company_id = used.company_id
          and k.id = used.key_id
          and (k.last_used_at is null or k.last_used_at <= used.at - p_every);
      end loop;
    end
    $function$
;
grant execute on function agents.touch_keys to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_connection(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone, scopes text[], client_name text, client_host text, created_by uuid, access_epoch integer, role text, resource text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select v.connection_id, v.company_id, v.agent_id, v.agent_name, v.agent_status, v.expires_at,
          v.scopes, v.client_name, v.client_host, v.created_by, v.access_epoch, v.role, v.resource
        from agents.verify_granted_connection(p_digests, p_now) v
        where v.grants is null and v.agent_grants is null;
    end
    $function$
;
grant execute on function agents.verify_connection to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_granted_connection(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone, scopes text[], client_name text, client_host text, created_by uuid, access_epoch integer, role text, resource text, grants json, agent_grants json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select v.connection_id, v.company_id, v.agent_id, v.agent_name, v.agent_status, v.expires_at,
          v.scopes, v.client_name, v.client_host, v.created_by, v.access_epoch, v.role, v.resource,
          v.grants, v.agent_grants
        from agents.verify_member_connection(p_digests, p_now) v
        where v.member_grants is null;
    end
    $function$
;
grant execute on function agents.verify_granted_connection to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_granted_key(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(digest bytea, key_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone, scopes text[], grants json, agent_grants json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      located record;
    begin
      for located in
        select d.digest, d.company_id, d.key_id
        from agents.key_digests d
        where d.digest = any (p_digests)
      loop
        return query
          select located.digest, k.id, k.company_id, a.id, a.name, a.status,
            k.expires_at::timestamptz, k.scopes, k.grants, a.grants
          from agents.keys k
          join agents.agents a on a.company_id = k.company_id and a.id = k.agent_id
          join agents.companies c on c.company_id = k.company_id
          where k.company_id = located.company_id and k.id = located.key_id
            and k.revoked_at is null
            and (k.expires_at is null or k.expires_at > p_now)
            and a.status <> 'terminated'
            and c.status = 'active';
        if found then
          return;
        end if;
      end loop;
    end
    $function$
;
grant execute on function agents.verify_granted_key to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_granted_run(p_run_id uuid, p_now timestamp with time zone, p_local_operator_id uuid)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone, scopes text[], source_operator_id uuid, source_epoch integer, grants json, agent_grants json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      own uuid := (
        select o.company_id from agents.entity_owners o where o.id = p_run_id and o.kind = 'run'
      );
    begin
      return query
        select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at::timestamptz, r.scopes,
          r.source_operator_id, coalesce(r.source_epoch, 0), r.grants, a.grants
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        left join agents.keys k on k.company_id = r.company_id and k.id = r.source_key_id
        left join agents.memberships m
          on m.company_id = r.company_id and m.operator_id = r.source_operator_id
        where r.company_id = own and r.id = p_run_id
          and r.status = 'running'
          and r.token_expires_at > p_now
          and a.status = 'active'
          and c.status = 'active'
          and (r.source_key_id is null or k.revoked_at is null or k.keeps_runs)
          and (
            r.source_operator_id is null or r.source_operator_id = p_local_operator_id
            or m.role in ('operator', 'owner')
          );
    end
    $function$
;
grant execute on function agents.verify_granted_run to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_key(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(digest bytea, key_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      select k.digest, k.key_id, k.company_id, k.agent_id, k.agent_name, k.agent_status, k.expires_at
      from agents.verify_scoped_key(p_digests, p_now) k
      where k.scopes is null
    $function$
;
grant execute on function agents.verify_key to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_member_connection(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(connection_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone, scopes text[], client_name text, client_host text, created_by uuid, access_epoch integer, role text, resource text, grants json, agent_grants json, member_grants json)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      located record;
    begin
      for located in
        select t.company_id, t.connection_id, t.expires_at, t.resource
        from agents.connection_tokens t
        where t.digest = any (p_digests) and t.expires_at > p_now
      loop
        return query
          select n.id, n.company_id, a.id, a.name, a.status,
            least(located.expires_at, n.expires_at)::timestamptz, n.scopes, n.client_name,
            n.client_host, n.created_by, coalesce(n.access_epoch, 0), case m.role when 'granted_viewer' then 'viewer' else m.role end,
            located.resource, n.grants, a.grants, case m.role when 'granted_viewer' then coalesce(m.grants, '[]'::json) end
          from agents.connections n
          join agents.agents a on a.company_id = n.company_id and a.id = n.agent_id
          join agents.companies c on c.company_id = n.company_id
          left join agents.memberships m
            on m.company_id = n.company_id and m.operator_id = n.created_by
          where n.company_id = located.company_id and n.id = located.connection_id
            and n.revoked_at is null
            and (n.expires_at is null or n.expires_at > p_now)
            and a.status <> 'terminated'
            and c.status = 'active';
        if found then
          return;
        end if;
      end loop;
    end
    $function$
;
grant execute on function agents.verify_member_connection to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_run_of_epoch(p_run_id uuid, p_now timestamp with time zone, p_local_operator_id uuid)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone, scopes text[], source_operator_id uuid, source_epoch integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select v.run_id, v.company_id, v.agent_id, v.agent_name, v.agent_status,
          v.token_expires_at, v.scopes, v.source_operator_id, v.source_epoch
        from agents.verify_granted_run(p_run_id, p_now, p_local_operator_id) v
        where v.grants is null and v.agent_grants is null;
    end
    $function$
;
grant execute on function agents.verify_run_of_epoch to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_run_of_source(p_run_id uuid, p_now timestamp with time zone, p_local_operator_id uuid)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone, scopes text[], source_operator_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    declare
      own uuid := (
        select o.company_id from agents.entity_owners o where o.id = p_run_id and o.kind = 'run'
      );
    begin
      return query
        select r.id, r.company_id, a.id, a.name, a.status, r.token_expires_at::timestamptz, r.scopes,
          r.source_operator_id
        from agents.runs r
        join agents.agents a on a.company_id = r.company_id and a.id = r.agent_id
        join agents.companies c on c.company_id = r.company_id
        left join agents.keys k on k.company_id = r.company_id and k.id = r.source_key_id
        left join agents.memberships m
          on m.company_id = r.company_id and m.operator_id = r.source_operator_id
        where r.company_id = own and r.id = p_run_id
          and r.status = 'running'
          and r.token_expires_at > p_now
          and a.status = 'active'
          and c.status = 'active'
          and (r.source_key_id is null or k.revoked_at is null or k.keeps_runs)
          and (
            r.source_operator_id is null or r.source_operator_id = p_local_operator_id
            or m.role in ('operator', 'owner')
          );
    end
    $function$
;
grant execute on function agents.verify_run_of_source to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_run(p_run_id uuid, p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
      select r.run_id, r.company_id, r.agent_id, r.agent_name, r.agent_status, r.token_expires_at
      from agents.verify_scoped_run(p_run_id, p_now) r
      where r.scopes is null
    $function$
;
grant execute on function agents.verify_run to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_scoped_key(p_digests bytea[], p_now timestamp with time zone)
 RETURNS TABLE(digest bytea, key_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, expires_at timestamp with time zone, scopes text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select v.digest, v.key_id, v.company_id, v.agent_id, v.agent_name, v.agent_status,
          v.expires_at, v.scopes
        from agents.verify_granted_key(p_digests, p_now) v
        where v.grants is null and v.agent_grants is null;
    end
    $function$
;
grant execute on function agents.verify_scoped_key to agents_app;

CREATE OR REPLACE FUNCTION agents.verify_scoped_run(p_run_id uuid, p_now timestamp with time zone)
 RETURNS TABLE(run_id uuid, company_id uuid, agent_id uuid, agent_name text, agent_status text, token_expires_at timestamp with time zone, scopes text[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
    begin
      return query
        select r.run_id, r.company_id, r.agent_id, r.agent_name, r.agent_status, r.token_expires_at,
          r.scopes
        from agents.verify_run_of_source(p_run_id, p_now, '00000000-0000-7000-8000-000000000001') r;
    end
    $function$
;
grant execute on function agents.verify_scoped_run to agents_app;
