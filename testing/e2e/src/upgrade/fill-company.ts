import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** The first migration after the release that companies are filled as. */
export const firstMigration = 'services/notes/migrations/0008_search_words.ts';

/** The notes of a filled company. */
type Filling = { readonly companyId: string; readonly notes: number };

/** This many notes of a filled company contain the word `needle`. */
export const needles = 50;

/** Folders, and tags, of a filled company. */
const foldersCount = 100;

const stepRows = 50_000;

/**
 * Fills a company on the schema of the previous release by SQL, as if its notes had been written one by one: with
 * their first revision, owner and search document, and with head, count and digest of the feed. Each note links to
 * the one before it by title.
 */
export const fillCompany = async (
  client: pg.Client,
  { companyId, notes }: Filling,
  onStep: (notes: number) => void,
): Promise<void> => {
  await client.query('set synchronous_commit = off');
  for (let first = 0; first < notes; first += stepRows) {
    const last = Math.min(notes, first + stepRows);
    await client.query(insertNotes, [companyId, first + 1, last, Math.ceil(notes / needles)]);
    onStep(last);
  }
  const { rows } = await client.query<{ sum: string }>(sumOfDigests, [companyId]);
  const digest = BigInt.asUintN(64, BigInt(rows[0]?.sum ?? 0)).toString(16);
  await client.query(insertFeed, [companyId, randomUUID(), notes, digest.padStart(16, '0')]);
  await client.query('vacuum analyze');
};

const insertNotes = `
  with r as materialized (
    select i as change_no, gen_random_uuid() as id, 'Note ' || i as title,
      case when i % $4 = 0 then 'needle ' else '' end || repeat('word' || i % 9973 || ' of note ', 12)
        || '[[Note ' || i - 1 || ']]' as content,
      'folder ' || i % ${foldersCount} as folder, array['tag ' || i % ${foldersCount}] as tags,
      timestamptz '2026-01-01' + i * interval '1 second' as at
    from generate_series($2::integer, $3::integer) i
  ), revisions as (
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
      pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
    select $1, id, 1, title, content, folder, tags, false, false, '{}', length(content), false, at,
      'agent', $1 from r
  ), owners as (
    insert into notes.note_owner (id, company_id) select id, $1 from r
  ), documents as (
    insert into notes.note_search (company_id, note_id, document)
    select $1, id, notes.search_document(title, content) from r
  ), progress as (
    insert into notes.search_progress as p (company_id, change_no) values ($1, $3)
    on conflict (company_id) do update set change_no = excluded.change_no
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, created_at, created_by_kind, created_by_id,
    updated_at, updated_by_kind, updated_by_id)
  select $1::uuid, id, 1, change_no, title, content, folder, tags, false, false, '{}', length(content),
    left(content, 200), length(content) + 900, at, 'agent', $1, at, 'agent', $1 from r`;

const insertFeed = `
  insert into notes.company_feed (company_id, epoch, head, live_count, digest)
  values ($1, $2, $3, $3, $4)`;

/** The digest is the sum modulo 2^64 of the first eight bytes of SHA-256 over `id:revision`. */
export const sumOfDigests = `
  select coalesce(sum(('x' || left(encode(sha256(convert_to(n.id || ':' || n.revision, 'UTF8')), 'hex'),
    16))::bit(64)::bigint::numeric), 0) as sum
  from notes.notes n where n.company_id = $1 and n.deleted_at is null`;
