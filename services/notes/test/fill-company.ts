import type { CompanyId, NoteId } from '@commonplace/contracts';
import type pg from 'pg';

/** Adds a company with notes and all that is kept of them. Returns the ids of some. */
export const fillCompany = async (
  admin: pg.Client,
  company: CompanyId,
  notes: number,
): Promise<NoteId[]> => {
  await admin.query(fill, [company, notes]);
  await admin.query(fillFeed, [company, notes]);
  const { rows } = await admin.query<{ id: NoteId }>(
    'select id from notes.notes where company_id = $1 order by change_no limit 100',
    [company],
  );
  return rows.map(({ id }) => id);
};

/** Adds companies without notes: with one row in it, the table of feeds would rightly be read from end to end. */
export const fillOthers = async (admin: pg.Client): Promise<void> => {
  await admin.query(`
    insert into notes.company_feed (company_id, epoch)
    select gen_random_uuid(), gen_random_uuid() from generate_series(1, 5000)`);
};

const fillFeed = `
  insert into notes.company_feed (company_id, epoch, head, live_count)
  values ($1, gen_random_uuid(), $2, $2)`;

const fill = `
  with r as materialized (
    select i, gen_random_uuid() as id, timestamptz '2026-01-01' + i * interval '1 second' as at,
      'Note ' || i as title, 'word' || i % 997 || ' of a note' as content,
      case when i % 5000 = 0 then array['rare'] else '{}' end as tags,
      case when i % 2 = 0 then '' else 'f' || i % 500 end as folder
    from generate_series(1, $2::integer) i
  ), revisions as (
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
      pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
    select $1, id, 1, title, content, folder, tags, false, false, '{}', 20, false, at, 'agent',
      $1 from r
  ), owners as (
    insert into notes.note_owner (id, company_id) select id, $1 from r
  ), mutations as (
    insert into notes.mutations (company_id, caller, client_id, mutation_id, request_hash, note_id,
      status, revision, created_at)
    select $1, 'agent:a', 'c', i::text, '\\x00', id, 'applied', 1, at from r
  ), documents as (
    insert into notes.note_search (company_id, note_id, document)
    select $1, id, regexp_replace(notes.search_document(title, content)::text,
      '''(\\w+)''', '''' || right($1::uuid::text, 6) || '\\1''', 'g')::tsvector from r
  ), entries as (
    insert into notes.catalog_entries (company_id, note_id, title_key, created_at, folder, tags)
    select $1, id, lower(title), at, folder, tags from r
  ), former as (
    insert into notes.former_titles (company_id, note_id, title_key)
    select $1, id, 'was ' || i from r
  ), links as (
    insert into notes.note_links (company_id, source_id, place, title, title_key, char_offset)
    select $1, id, p, 'Note 1', 'note ' || (i + p) % 500, 0 from r cross join generate_series(0, 1) p
  ), labels as (
    insert into notes.label_counts (company_id, kind, name, notes)
    select $1, 'folder', 'f' || i, 1 from r
  ), catalog as (
    insert into notes.catalog_progress (company_id, change_no, backfilled_no, backfill_to)
    values ($1, $2, 0, 0)
  ), words as (
    insert into notes.search_words (company_id, word) select $1, 'word' || i from r
  ), progress as (
    insert into notes.search_progress (company_id, change_no) values ($1, $2)
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, created_at, created_by_kind, created_by_id,
    updated_at, updated_by_kind, updated_by_id)
  select $1, id, 1, i, title, content, folder, tags, i % 5000 = 2, i % 5000 = 1, '{}', 20, content,
    900, at, 'agent', $1, at, 'agent', $1 from r`;
