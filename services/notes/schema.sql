-- Written by pnpm schema from the migrations; not read by any program.

create table notes.catalog_entries (
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  folder text not null,
  note_id uuid not null,
  tags text[] not null,
  title_key text,
  constraint catalog_entries_pkey PRIMARY KEY (company_id, note_id)
);
alter table notes.catalog_entries enable row level security;
grant delete, insert, select, update on notes.catalog_entries to notes_app;

create table notes.catalog_progress (
  backfill_to bigint not null,
  backfilled_no bigint not null,
  change_no bigint not null,
  company_id uuid not null,
  constraint catalog_progress_pkey PRIMARY KEY (company_id)
);
alter table notes.catalog_progress enable row level security;
grant delete, insert, select, update on notes.catalog_progress to notes_app;

create table notes.company_feed (
  company_id uuid not null,
  digest text not null default '0000000000000000'::text,
  epoch uuid not null,
  floor bigint not null default 0,
  head bigint not null default 0,
  live_count bigint not null default 0,
  constraint company_feed_check CHECK ((floor <= head)),
  constraint company_feed_digest_check CHECK ((digest ~ '^[0-9a-f]{16}$'::text)),
  constraint company_feed_pkey PRIMARY KEY (company_id)
) with (fillfactor=10);
alter table notes.company_feed enable row level security;
grant delete, insert, select, update on notes.company_feed to notes_app;

create table notes.departures (
  change_no bigint not null,
  company_id uuid not null,
  departed_at timestamp(3) with time zone not null,
  folder text not null,
  former json not null,
  note_id uuid not null,
  revision integer not null,
  constraint departures_pkey PRIMARY KEY (company_id, note_id, folder)
);
alter table notes.departures enable row level security;
grant delete, insert, select, update on notes.departures to notes_app;

create table notes.embedding_progress (
  change_no bigint not null,
  company_id uuid not null,
  deleted_no bigint not null,
  is_large boolean not null,
  leased_until timestamp(3) with time zone not null,
  profile text not null,
  profile_since timestamp(3) with time zone,
  constraint embedding_progress_pkey PRIMARY KEY (company_id)
);
alter table notes.embedding_progress enable row level security;
grant delete, insert, select, update on notes.embedding_progress to notes_app;

create table notes.embedding_signs (
  company_id uuid not null,
  note_id uuid not null,
  place smallint not null,
  signs bit varying not null,
  constraint embedding_signs_company_id_note_id_fkey FOREIGN KEY (company_id, note_id) REFERENCES notes.note_embeddings(company_id, note_id) ON DELETE CASCADE,
  constraint embedding_signs_pkey PRIMARY KEY (company_id, note_id, place)
);
alter table notes.embedding_signs enable row level security;
grant delete, insert, select, update on notes.embedding_signs to notes_app;

create table notes.former_titles (
  company_id uuid not null,
  note_id uuid not null,
  title_key text not null,
  constraint former_titles_pkey PRIMARY KEY (company_id, note_id, title_key)
);
alter table notes.former_titles enable row level security;
grant delete, insert, select, update on notes.former_titles to notes_app;

create table notes.job_queue (
  attempts integer not null default 0,
  available_at timestamp(3) with time zone not null,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  failures integer not null default 0,
  id uuid not null,
  is_finished boolean not null default false,
  is_undo boolean not null default false,
  lease_token uuid,
  constraint job_queue_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on notes.job_queue to notes_app;

create table notes.jobs (
  caller json not null,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  done integer not null default 0,
  error json,
  finished_at timestamp(3) with time zone,
  id uuid not null,
  request json not null,
  result json,
  results json,
  started_at timestamp(3) with time zone,
  status text not null,
  total integer not null,
  constraint jobs_pkey PRIMARY KEY (company_id, id)
);
alter table notes.jobs enable row level security;
grant delete, insert, select, update on notes.jobs to notes_app;

create table notes.label_counts (
  company_id uuid not null,
  kind text not null,
  name text not null,
  notes bigint not null,
  constraint label_counts_kind_check CHECK ((kind = ANY (ARRAY['folder'::text, 'tag'::text]))),
  constraint label_counts_pkey PRIMARY KEY (company_id, kind, name)
);
alter table notes.label_counts enable row level security;
grant delete, insert, select, update on notes.label_counts to notes_app;

create table notes.mutations (
  caller text not null,
  client_id text not null,
  company_id uuid not null,
  conflict_note_id uuid,
  created_at timestamp(3) with time zone not null,
  mutation_id text not null,
  note_id uuid not null,
  proposal_id uuid,
  request_hash bytea not null,
  revision integer,
  status text not null,
  constraint mutations_pkey PRIMARY KEY (company_id, caller, client_id, mutation_id)
);
alter table notes.mutations enable row level security;
grant delete, insert, select, update on notes.mutations to notes_app;

create table notes.note_embeddings (
  company_id uuid not null,
  note_id uuid not null,
  profile text not null,
  skipped integer not null,
  text_hash text not null,
  vectors bytea not null,
  constraint note_embeddings_pkey PRIMARY KEY (company_id, note_id)
);
alter table notes.note_embeddings enable row level security;
grant delete, insert, select, update on notes.note_embeddings to notes_app;

create table notes.note_links (
  char_offset integer not null,
  company_id uuid not null,
  place integer not null,
  source_id uuid not null,
  target_id uuid,
  title text,
  title_key text,
  constraint note_links_pkey PRIMARY KEY (company_id, source_id, place)
);
alter table notes.note_links enable row level security;
grant delete, insert, select, update on notes.note_links to notes_app;

create table notes.note_owner (
  company_id uuid not null,
  id uuid not null,
  constraint note_owner_pkey PRIMARY KEY (id)
);

create table notes.note_revisions (
  archived boolean not null,
  change_no bigint,
  company_id uuid not null,
  content text,
  created_at timestamp(3) with time zone not null,
  created_by_connection_id uuid,
  created_by_id uuid not null,
  created_by_key_id uuid,
  created_by_kind text not null,
  created_by_run_id uuid,
  deleted boolean not null,
  folder text not null,
  note_id uuid not null,
  pinned boolean not null,
  properties json not null,
  restored_from integer,
  revision integer not null,
  size integer not null,
  tags text[] not null,
  title text not null,
  via text,
  constraint note_revisions_pkey PRIMARY KEY (company_id, note_id, revision)
);
alter table notes.note_revisions enable row level security;
grant delete, insert, select, update on notes.note_revisions to notes_app;

create table notes.note_search (
  company_id uuid not null,
  document tsvector not null,
  note_id uuid not null,
  text_hash bigint,
  words integer,
  constraint note_search_pkey PRIMARY KEY (company_id, note_id)
);
alter table notes.note_search enable row level security;
grant delete, insert, select, update on notes.note_search to notes_app;

create table notes.notes (
  archived boolean not null,
  change_no bigint not null,
  company_id uuid not null,
  conflict_of uuid,
  content text not null,
  created_at timestamp(3) with time zone not null,
  created_by_id uuid not null,
  created_by_kind text not null,
  created_by_run_id uuid,
  deleted_at timestamp(3) with time zone,
  folder text not null,
  id uuid not null,
  pinned boolean not null,
  properties json not null,
  revision integer not null,
  sent_by text,
  size integer not null,
  snippet text not null,
  tags text[] not null,
  texts_from integer,
  texts_to integer,
  title text not null,
  updated_at timestamp(3) with time zone not null,
  updated_by_id uuid not null,
  updated_by_kind text not null,
  updated_by_run_id uuid,
  wire_bytes integer not null,
  constraint notes_company_id_change_no_key UNIQUE (company_id, change_no),
  constraint notes_pkey PRIMARY KEY (company_id, id),
  constraint notes_revision_check CHECK ((revision > 0)),
  constraint notes_texts_check CHECK (
CASE
    WHEN (texts_to IS NULL) THEN (texts_from IS NULL)
    ELSE ((texts_from IS NOT NULL) AND (texts_from <= texts_to) AND (texts_to = revision) AND (deleted_at IS NULL))
END) NOT VALID
);
alter table notes.notes enable row level security;
grant delete, insert, select, update on notes.notes to notes_app;

create table notes.proposals (
  archived boolean not null,
  author_connection_id uuid,
  author_id uuid not null,
  author_key_id uuid,
  author_kind text not null,
  author_run_id uuid,
  base_revision integer,
  company_id uuid not null,
  content text,
  created_at timestamp(3) with time zone not null,
  decided_at timestamp(3) with time zone,
  decided_by json,
  decision_reason text,
  earlier_sources jsonb,
  expires_at timestamp(3) with time zone not null,
  fields_hash text not null,
  folder text not null,
  id uuid not null,
  note_id uuid not null,
  pinned boolean not null,
  properties json not null,
  proposal_of uuid,
  reason text,
  revision integer,
  size integer not null,
  snippet text not null,
  state text not null,
  superseded_by uuid,
  tags text[] not null,
  title text not null,
  via text,
  constraint proposals_pkey PRIMARY KEY (company_id, id)
);
alter table notes.proposals enable row level security;
grant delete, insert, select, update on notes.proposals to notes_app;

create table notes.purged_notes (
  company_id uuid not null,
  note_id uuid not null,
  revision integer not null,
  constraint purged_notes_pkey PRIMARY KEY (company_id, note_id)
);
alter table notes.purged_notes enable row level security;
grant delete, insert, select, update on notes.purged_notes to notes_app;

create table notes.search_progress (
  change_no bigint not null,
  company_id uuid not null,
  rebuilt_no bigint not null default 0,
  constraint search_progress_pkey PRIMARY KEY (company_id)
);
alter table notes.search_progress enable row level security;
grant delete, insert, select, update on notes.search_progress to notes_app;

create table notes.search_settings (
  company_id uuid not null,
  embeddings boolean not null,
  updated_at timestamp(3) with time zone not null,
  constraint search_settings_pkey PRIMARY KEY (company_id)
);
alter table notes.search_settings enable row level security;
grant delete, insert, select, update on notes.search_settings to notes_app;

create table notes.search_statistics (
  company_id uuid not null,
  generation integer not null,
  notes bigint not null,
  sampled integer not null,
  word_average real not null,
  constraint search_statistics_pkey PRIMARY KEY (company_id)
);
alter table notes.search_statistics enable row level security;
grant delete, insert, select, update on notes.search_statistics to notes_app;

create table notes.search_terms (
  company_id uuid not null,
  notes integer not null,
  term text not null,
  constraint search_terms_pkey PRIMARY KEY (company_id, term)
);
alter table notes.search_terms enable row level security;
grant delete, insert, select, update on notes.search_terms to notes_app;

create table notes.search_words (
  company_id uuid not null,
  word text not null,
  constraint search_words_pkey PRIMARY KEY (company_id, word)
);
alter table notes.search_words enable row level security;
grant delete, insert, select, update on notes.search_words to notes_app;

create table notes.undo_notes (
  base_at timestamp(3) with time zone,
  base_author json,
  base_others_since integer,
  base_revision integer,
  company_id uuid not null,
  conflict_copies uuid[],
  conflict_of uuid,
  detail text,
  diff text,
  fields text[],
  folder text,
  lines json,
  merges integer[],
  note_id uuid not null,
  outcome text,
  revision integer,
  title text,
  undo_id uuid not null,
  undoes integer[],
  undone_from integer,
  undone_to integer,
  constraint undo_notes_pkey PRIMARY KEY (company_id, undo_id, note_id)
);
alter table notes.undo_notes enable row level security;
grant delete, insert, select, update on notes.undo_notes to notes_app;

create table notes.undos (
  caller json not null,
  company_id uuid not null,
  created_at timestamp(3) with time zone not null,
  error json,
  finished_at timestamp(3) with time zone,
  id uuid not null,
  is_dry_run boolean not null,
  is_pausing boolean not null default false,
  is_planned boolean not null default false,
  last_change bigint,
  note_ids uuid[],
  paused_agent_id uuid,
  planned_until json,
  source json not null,
  started_at timestamp(3) with time zone,
  status text not null,
  withdrawn_proposals integer not null default 0,
  withdraws_proposals boolean not null default false,
  constraint undos_pkey PRIMARY KEY (company_id, id)
);
alter table notes.undos enable row level security;
grant delete, insert, select, update on notes.undos to notes_app;

CREATE INDEX accepted_proposals ON notes.proposals USING btree (company_id, note_id, revision) WHERE (revision IS NOT NULL);

CREATE INDEX archived_notes ON notes.notes USING btree (company_id, updated_at, id) WHERE archived;

CREATE INDEX catalog_titles ON notes.catalog_entries USING btree (company_id, title_key, created_at, note_id) WHERE (title_key IS NOT NULL);

CREATE INDEX catalog_titles_in_folders ON notes.catalog_entries USING btree (company_id, title_key, folder, created_at, note_id) WHERE (title_key IS NOT NULL);

CREATE INDEX conflict_copies ON notes.notes USING btree (company_id, conflict_of) WHERE (conflict_of IS NOT NULL);

CREATE INDEX decided_proposals ON notes.proposals USING btree (company_id, author_id, decided_at) WHERE (decided_at IS NOT NULL);

CREATE INDEX departures_by_change ON notes.departures USING btree (company_id, change_no);

CREATE INDEX jobs_by_age ON notes.job_queue USING btree (created_at);

CREATE INDEX links_by_target ON notes.note_links USING btree (company_id, target_id, source_id) WHERE (target_id IS NOT NULL);

CREATE INDEX links_by_title ON notes.note_links USING btree (company_id, title_key, source_id) WHERE (title_key IS NOT NULL);

CREATE INDEX merged_mutations ON notes.mutations USING btree (company_id, note_id, revision) WHERE (status = 'merged'::text);

CREATE INDEX mutations_by_age ON notes.mutations USING btree (company_id, created_at);

CREATE INDEX note_search_document ON notes.note_search USING gin (document) WITH (gin_pending_list_limit='1024');

CREATE INDEX notes_by_author ON notes.notes USING btree (company_id, updated_by_id, updated_at, id);

CREATE INDEX notes_by_creation ON notes.notes USING btree (company_id, created_at, id);

CREATE INDEX notes_by_folder ON notes.notes USING btree (company_id, folder COLLATE "C");

CREATE INDEX notes_by_former_title ON notes.former_titles USING btree (company_id, title_key, note_id);

CREATE INDEX notes_by_title ON notes.notes USING btree (company_id, title, id);

CREATE INDEX notes_by_title_key ON notes.notes USING btree (company_id, notes.title_key(title) COLLATE "C", folder COLLATE "C") WHERE (deleted_at IS NULL);

CREATE INDEX notes_by_update ON notes.notes USING btree (company_id, updated_at, id);

CREATE INDEX open_proposals ON notes.proposals USING btree (company_id, author_id, note_id) WHERE (state = 'open'::text);

CREATE INDEX open_proposals_by_age ON notes.proposals USING btree (company_id, created_at, id) WHERE (state = 'open'::text);

CREATE INDEX pending_undo_notes ON notes.undo_notes USING btree (company_id, undo_id, note_id) WHERE (outcome IS NULL);

CREATE INDEX pinned_notes ON notes.notes USING btree (company_id, updated_at, id) WHERE pinned;

CREATE INDEX proposals_by_age ON notes.proposals USING btree (company_id, created_at, id);

CREATE INDEX proposals_by_end ON notes.proposals USING btree (expires_at) WHERE ((content IS NOT NULL) OR (revision IS NULL));

CREATE INDEX revisions_by_age ON notes.note_revisions USING brin (created_at);

CREATE INDEX revisions_by_connection ON notes.note_revisions USING btree (company_id, created_by_connection_id, created_at, note_id, revision) WHERE (created_by_connection_id IS NOT NULL);

CREATE INDEX revisions_by_key ON notes.note_revisions USING btree (company_id, created_by_key_id, created_at, note_id, revision) WHERE (created_by_key_id IS NOT NULL);

CREATE INDEX revisions_by_run ON notes.note_revisions USING btree (company_id, created_by_run_id, created_at, note_id, revision) WHERE (created_by_run_id IS NOT NULL);

CREATE INDEX revisions_by_time ON notes.note_revisions USING btree (company_id, created_at, note_id, revision);

CREATE INDEX search_words_by_end ON notes.search_words USING btree (company_id, reverse(word));

CREATE INDEX superseded_proposals ON notes.proposals USING btree (decided_at) WHERE (state = 'superseded'::text);

CREATE INDEX tagged_notes ON notes.notes USING gin (notes.tag_keys(company_id, tags)) WITH (fastupdate=off) WHERE (tags <> '{}'::text[]);

CREATE INDEX tombstones ON notes.notes USING btree (company_id, deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX undone_notes ON notes.undo_notes USING btree (company_id, note_id, undone_to) WHERE (undone_to IS NOT NULL);

CREATE INDEX unfinished_jobs ON notes.job_queue USING btree (company_id) WHERE (NOT is_finished);

CREATE INDEX waiting_jobs ON notes.job_queue USING btree (available_at) WHERE (NOT is_finished);

create policy own_company on notes.catalog_entries for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((folder || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL)));

create policy own_company on notes.catalog_progress for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.company_feed for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.departures for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((folder || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL)));

create policy own_company on notes.embedding_progress for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.embedding_signs for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.former_titles for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.jobs for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.label_counts for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND ((kind <> 'folder'::text) OR (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((name || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL))));

create policy own_company on notes.mutations for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.note_embeddings for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.note_links for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.note_revisions for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((folder || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL)));

create policy own_company on notes.note_search for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.notes for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((folder || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL)));

create policy own_company on notes.proposals for all
  using (((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid) AND (
CASE
    WHEN ((NULLIF(current_setting('app.folders'::text, true), ''::text) IS NULL) OR ((folder || '/'::text) ^@ ANY ((NULLIF(current_setting('app.folders'::text, true), ''::text))::text[]))) THEN true
    ELSE NULL::boolean
END IS NOT NULL)));

create policy own_company on notes.purged_notes for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.search_progress for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.search_settings for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.search_statistics for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.search_terms for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.search_words for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.undo_notes for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

create policy own_company on notes.undos for all
  using ((company_id = (NULLIF(current_setting('app.company_id'::text, true), ''::text))::uuid));

CREATE OR REPLACE FUNCTION notes.catalogs_to_backfill()
 RETURNS TABLE(company_id uuid, pending bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        select f.company_id, coalesce(p.backfill_to - p.backfilled_no, f.head)
        from notes.company_feed f
        left join notes.catalog_progress p on p.company_id = f.company_id
        where coalesce(p.backfill_to - p.backfilled_no, f.head) > 0
      $function$
;
grant execute on function notes.catalogs_to_backfill to notes_app;

CREATE OR REPLACE FUNCTION notes.changes_by_day(first_day date, last_day date, most integer)
 RETURNS TABLE(day text, notes integer, changes integer, first_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid; is_confined constant boolean := nullif(current_setting('app.folders', true), '') is not null;
        begin
          if is_confined then
            raise exception 'notes.changes_by_day counts the versions of all folders';
          end if;
          return query
            select (s.created_at at time zone 'UTC')::date::text,
              count(distinct s.note_id)::integer, count(*)::integer, min(s.created_at)::timestamptz
            from (
              select v.created_at, v.note_id
              from notes.note_revisions v
              where v.company_id = own
                and v.created_at >= first_day::timestamp at time zone 'UTC'
                and v.created_at < (last_day + 1)::timestamp at time zone 'UTC'
              order by v.created_at desc, v.note_id desc, v.revision desc
              limit most
            ) s
            group by 1
            order by 1;
        end
      $function$
;
grant execute on function notes.changes_by_day to notes_app;

CREATE OR REPLACE FUNCTION notes.claim_ids(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          insert into notes.note_owner (id, company_id)
          select i.id, own from unnest(ids) as i (id) order by i.id
          on conflict (id) do nothing;
          return query
            select o.id from notes.note_owner o where o.id = any (ids) and o.company_id = own;
        end
      $function$
;
grant execute on function notes.claim_ids to notes_app;

CREATE OR REPLACE FUNCTION notes.claim(ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare
          own uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          insert into notes.note_owner (id, company_id)
          select i.id, own from unnest(ids) as i (id) order by i.id;
          return cardinality(ids);
        exception when unique_violation then
          return (select count(*) from notes.claim_ids(ids));
        end
      $function$
;
grant execute on function notes.claim to notes_app;

CREATE OR REPLACE FUNCTION notes.companies_to_embed(current_profile text)
 RETURNS TABLE(company_id uuid, is_enabled boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return query
            select s.company_id, s.embeddings
            from notes.search_settings s
            left join notes.company_feed f on f.company_id = s.company_id
            left join notes.embedding_progress p on p.company_id = s.company_id
            where case when s.embeddings
              then coalesce(p.deleted_no < f.head, false)
                or (current_profile is not null and f.head > 0
                  and (p.company_id is null or p.profile <> current_profile or p.change_no < f.head))
              else p.company_id is not null end;
        end
      $function$
;
grant execute on function notes.companies_to_embed to notes_app;

CREATE OR REPLACE FUNCTION notes.companies_to_purge(tombstones_before timestamp with time zone, mutations_before timestamp with time zone, jobs_before timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return query
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.notes n
              where n.company_id = f.company_id and n.deleted_at < tombstones_before)
            union
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.mutations m
              where m.company_id = f.company_id and m.created_at < mutations_before)
            union
            select f.company_id from notes.company_feed f
            where exists (
              select from notes.jobs j
              where j.company_id = f.company_id and j.finished_at < jobs_before);
        end
      $function$
;
grant execute on function notes.companies_to_purge to notes_app;

CREATE OR REPLACE FUNCTION notes.companies_with_due_proposals(due timestamp with time zone)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return query
            select distinct p.company_id from notes.proposals p
            where p.expires_at <= due and (p.content is not null or p.revision is null);
          return query
            select distinct p.company_id from notes.proposals p
            where p.state = 'superseded' and p.decided_at <= due - interval '1 day';
        end
      $function$
;
grant execute on function notes.companies_with_due_proposals to notes_app;

CREATE OR REPLACE FUNCTION notes.find_titles(folders text[], titles text[], most integer)
 RETURNS TABLE(place bigint, key text, id uuid, folder text, title text, revision integer, updated_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          return query
            select w.place, notes.title_key(w.title), m.id, m.folder, m.title, m.revision,
              m.updated_at::timestamptz
            from unnest(folders, titles) with ordinality as w (folder, title, place)
            left join lateral (
              select t.* from (
                select n.id, n.folder, n.title, n.revision, n.updated_at from notes.notes n
                where n.company_id = own
                  and notes.title_key(n.title) collate "C"
                    = any (array[notes.title_key(w.title) collate "C"])
                  and n.folder collate "C" = w.folder collate "C"
                  and n.deleted_at is null
                order by notes.title_key(n.title) collate "C"
              ) t
              order by t.updated_at desc, t.id
              limit most
            ) m on true;
        end
      $function$
;
grant execute on function notes.find_titles to notes_app;

CREATE OR REPLACE FUNCTION notes.foreign_ids(ids uuid[])
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          return query
            select o.id from notes.note_owner o where o.id = any (ids) and o.company_id <> own;
        end
      $function$
;
grant execute on function notes.foreign_ids to notes_app;

CREATE OR REPLACE FUNCTION notes.heads_of(ids uuid[])
 RETURNS TABLE(company_id uuid, head bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return query
            select f.company_id, f.head from notes.company_feed f where f.company_id = any (ids);
        end
      $function$
;
grant execute on function notes.heads_of to notes_app;

CREATE OR REPLACE FUNCTION notes.list_companies()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select company_id from notes.company_feed $function$
;
grant execute on function notes.list_companies to notes_app;

CREATE OR REPLACE FUNCTION notes.match_context(whole tsquery, words text[], enough integer, most integer, word_max integer)
 RETURNS TABLE(id uuid, has_all boolean, is_common integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
          found_ids constant uuid[] := array(
            select m.id from notes.match_notes(whole, most + 1) as m (id));
          word record;
        begin
          return query select f.id, true, 0 from unnest(found_ids) as f (id);
          if cardinality(found_ids) >= enough or cardinality(words) = 0 then
            return;
          end if;
          for word in
            with sampled as materialized (
              select s.document from notes.note_search s
              where s.company_id = own
              order by s.note_id desc
              limit 40
            )
            select w.query, w.notes, row_number() over (order by w.notes, w.place) as rarity
            from (
              select q.place, q.query::tsquery as query,
                (select count(*) from sampled s where s.document @@ q.query::tsquery) as notes
              from unnest(words) with ordinality as q (query, place)
            ) w
          loop
            continue when word.notes > word_max and word.rarity > 2;
            return query
              select m.id, false, (count(*) over () > most)::integer
              from notes.match_notes(word.query, most + 1) as m (id);
          end loop;
        end
      $function$
;
grant execute on function notes.match_context to notes_app;

CREATE OR REPLACE FUNCTION notes.match_frequent(query tsquery, looked integer, enough integer, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid; granted constant text[] := nullif(current_setting('app.folders', true), '')::text[];
          found_ids uuid[] := '{}';
        begin
          if looked > 0 and granted is null then
            found_ids := array(
              select s.note_id
              from (
                select s.note_id, s.document from notes.note_search s
                where s.company_id = own
                order by s.note_id desc
                limit looked
              ) s
              where s.document @@ query
              limit most);
          elsif looked > 0 then
            found_ids := array(
              select s.note_id
              from (
                select s.note_id, s.document from notes.note_search s
                where s.company_id = own
                order by s.note_id desc
                limit 4 * looked
              ) s
              where s.document @@ query and exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id
    and (case when (n.folder || '/') ^@ any (granted) then true end) is not null)
              limit most);
          end if;
          if looked > 0 and cardinality(found_ids) >= enough then
            return query select unnest(found_ids);
          else
            return query select m.id from notes.match_notes(query, most) as m (id);
          end if;
        end
      $function$
;
grant execute on function notes.match_frequent to notes_app;

CREATE OR REPLACE FUNCTION notes.match_notes(query tsquery, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_seqscan TO 'off'
AS $function$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid; granted constant text[] := nullif(current_setting('app.folders', true), '')::text[];
          is_on_citus constant boolean := current_setting('citus.version', true) is not null;
        begin
          if granted is not null and is_on_citus then
            return query
              select s.note_id
              from notes.note_search s
              where s.company_id = own and s.document @@ query and exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id
    and (case when (n.folder || '/') ^@ any (granted) then true end) is not null)
              limit most;
          elsif granted is not null then
            return query
              select s.note_id
              from notes.note_search s
              where (s.company_id = own) is true and s.document @@ query and exists (
  select from notes.notes n
  where n.company_id = own and n.id = s.note_id
    and (case when (n.folder || '/') ^@ any (granted) then true end) is not null)
              limit most;
          elsif is_on_citus then
            return query
              select s.note_id
              from notes.note_search s
              where s.company_id = own and s.document @@ query
              limit most;
          else
            return query
              select s.note_id
              from notes.note_search s
              where (s.company_id = own) is true and s.document @@ query
              limit most;
          end if;
        end
      $function$
;
grant execute on function notes.match_notes to notes_app;

CREATE OR REPLACE FUNCTION notes.match_tags(wanted text[], most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare
          own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
          keys constant text[] := notes.tag_keys(own, wanted);
        begin
          if current_setting('citus.version', true) is not null then
            return query
              select n.id
              from notes.notes n
              where n.company_id = own
                and n.tags <> '{}' and notes.tag_keys(n.company_id, n.tags) @> keys
              limit most;
          else
            return query
              select n.id
              from notes.notes n
              where n.tags <> '{}' and notes.tag_keys(n.company_id, n.tags) @> keys
              limit most;
          end if;
        end
      $function$
;
grant execute on function notes.match_tags to notes_app;

CREATE OR REPLACE FUNCTION notes.match_titles(folders text[], titles text[], most integer)
 RETURNS TABLE(place bigint, key text, id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
        select w.place, notes.title_key(w.title), m.id
        from unnest(folders, titles) with ordinality as w (folder, title, place)
        left join lateral (
          select t.id from (
            select n.id, n.updated_at from notes.notes n
            where n.company_id = nullif(current_setting('app.company_id', true), '')::uuid
              and notes.title_key(n.title) collate "C"
                = any (array[notes.title_key(w.title) collate "C"])
              and n.folder collate "C" = w.folder collate "C"
              and n.deleted_at is null
            order by notes.title_key(n.title) collate "C"
          ) t
          order by t.updated_at desc, t.id
          limit most
        ) m on true
      $function$
;
grant execute on function notes.match_titles to notes_app;

CREATE OR REPLACE FUNCTION notes.owner_of(note_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return (select o.company_id from notes.note_owner o where o.id = note_id);
        end
      $function$
;
grant execute on function notes.owner_of to notes_app;

CREATE OR REPLACE FUNCTION notes.search_document(title text, content text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (setweight(to_tsvector('simple'::regconfig, title), 'A'::"char") || to_tsvector('simple'::regconfig, CASE WHEN (octet_length(content) <= 262144) THEN content WHEN (octet_length(content) = length(content)) THEN "left"(content, 262144) ELSE "left"(content, 65536) END))
;
grant execute on function notes.search_document to notes_app;

CREATE OR REPLACE FUNCTION notes.search_statistics_to_make(notes_min bigint)
 RETURNS TABLE(company_id uuid, pending bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        begin
          return query
            select f.company_id, abs(f.live_count - coalesce(s.notes, 0))
            from notes.company_feed f
            left join notes.search_statistics s on s.company_id = f.company_id
            where f.live_count >= notes_min
              and abs(f.live_count - coalesce(s.notes, 0)) > coalesce(s.notes, 0) / 10;
        end
      $function$
;
grant execute on function notes.search_statistics_to_make to notes_app;

CREATE OR REPLACE FUNCTION notes.searches_to_rebuild()
 RETURNS TABLE(company_id uuid, pending bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        select p.company_id, p.change_no - p.rebuilt_no
        from notes.search_progress p
        where p.rebuilt_no < p.change_no
      $function$
;
grant execute on function notes.searches_to_rebuild to notes_app;

CREATE OR REPLACE FUNCTION notes.similar_words(first text, before text, first_reversed text, before_reversed text, shortest integer, longest integer, most integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET enable_sort TO 'off'
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          return query
            select w.word from notes.search_words w
            where w.company_id = own
              and w.word >= first and w.word < before
              and char_length(w.word) between shortest and longest
            order by w.word
            limit most;
          return query
            select w.word from notes.search_words w
            where w.company_id = own
              and reverse(w.word) collate "C" >= first_reversed
              and reverse(w.word) collate "C" < before_reversed
              and char_length(w.word) between shortest and longest
            order by reverse(w.word) collate "C"
            limit most;
        end
      $function$
;
grant execute on function notes.similar_words to notes_app;

CREATE OR REPLACE FUNCTION notes.tag_keys(company_id uuid, tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT (((tag_keys.company_id)::text || ' '::text) || t.tag) FROM unnest(tag_keys.tags) t(tag))
;
grant execute on function notes.tag_keys to notes_app;

CREATE OR REPLACE FUNCTION notes.text_of(of_note uuid, of_revision integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
        declare own constant uuid := nullif(current_setting('app.company_id', true), '')::uuid;
        begin
          return (
            select coalesce(v.content, convert_from(substring(convert_to(left(coalesce(
                (select n.content from notes.notes n
                 where n.company_id = own and n.id = of_note and n.texts_from <= of_revision),
                (select t.content from notes.note_revisions t
                 where t.company_id = own and t.note_id = of_note and t.revision > of_revision
                   and t.content is not null and not t.deleted
                 order by t.revision
                 limit 1),
                (select n.content from notes.notes n
                 where n.company_id = own and n.id = of_note and n.texts_to > of_revision)
              ), v.size), 'UTF8') from 1 for v.size), 'UTF8'))
            from notes.note_revisions v
            where v.company_id = own and v.note_id = of_note and v.revision = of_revision
              and not v.deleted and (case
  when nullif(current_setting('app.folders', true), '') is null or (v.folder || '/') ^@ any (nullif(current_setting('app.folders', true), '')::text[]) then true
end) is not null);
        end
      $function$
;
grant execute on function notes.text_of to notes_app;

CREATE OR REPLACE FUNCTION notes.title_key(title text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (char_length(casefold((NORMALIZE(title, NFC) COLLATE pg_unicode_fast))) <= 100) THEN casefold((NORMALIZE(title, NFC) COLLATE pg_unicode_fast)) ELSE (("left"(casefold((NORMALIZE(title, NFC) COLLATE pg_unicode_fast)), 80) || ' '::text) || to_hex(hashtextextended(casefold((NORMALIZE(title, NFC) COLLATE pg_unicode_fast)), (0)::bigint))) END
;
grant execute on function notes.title_key to notes_app;
