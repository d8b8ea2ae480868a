import type pg from 'pg';

/** Which notes to add to a company, by their place in its feed. */
export type Filling = { readonly companyId: string; readonly from: number; readonly to: number };

/**
 * Adds notes to a company as if they had been written one by one: with their first revision, their owner,
 * their place in the search index and a feed whose head, count and digest are right. Each has some words
 * of its own; one in a thousand holds the word `needle`.
 */
export const fillCompany = async (client: pg.Client, filling: Filling): Promise<void> => {
  const { companyId, from, to } = filling;
  await client.query(openFeed, [companyId]);
  for (let first = from; first < to; first += stepRows) {
    const last = Math.min(to, first + stepRows);
    await client.query('begin');
    await client.query(insertNotes, [companyId, first + 1, last]);
    await client.query(moveFeed, [companyId, first, last]);
    await client.query('commit');
  }
};

const stepRows = 50_000;

const openFeed = `
  insert into notes.company_feed (company_id, epoch) values ($1, gen_random_uuid())
  on conflict (company_id) do nothing`;

const insertNotes = `
  with r as materialized (
    select i as change_no, gen_random_uuid() as id, 'Note ' || i as title,
      case when i % 1000 = 0 then 'needle ' else '' end || repeat('word' || i % 9973 || ' of note ', 12)
        as content,
      timestamptz '2026-01-01' + i * interval '1 second' as at
    from generate_series($2::integer, $3::integer) i
  ), revisions as (
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
      pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
    select $1, id, 1, title, content, '', '{}', false, false, '{}', length(content), false, at,
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
  select $1, id, 1, change_no, title, content, '', '{}', false, false, '{}', length(content),
    left(content, 200), length(content) + 900, at, 'agent', $1, at, 'agent', $1 from r`;

/** The digest is the sum modulo 2^64 of the first eight bytes of SHA-256 over \`id:revision\`. */
const moveFeed = `
  update notes.company_feed f set head = $3::bigint, live_count = f.live_count + d.notes,
    digest = lpad(to_hex((mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
      - case when mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
          >= 9223372036854775808 then 18446744073709551616 else 0 end
      + case when mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
          < -9223372036854775808 then 18446744073709551616 else 0 end)::bigint), 16, '0')
  from (
    select count(*) as notes, coalesce(sum(('x' || left(encode(sha256(
      convert_to(n.id || ':1', 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric), 0) as sum
    from notes.notes n where n.company_id = $1 and n.change_no > $2 and n.change_no <= $3
  ) d
  where f.company_id = $1`;

/** Makes many companies of some notes each, in one go. */
export const fillCompanies = async (
  client: pg.Client,
  { companies, notesEach }: { readonly companies: number; readonly notesEach: number },
): Promise<void> => {
  for (let done = 0; done < companies; done += 1) {
    const { rows } = await client.query<{ id: string }>('select gen_random_uuid() as id');
    await fillCompany(client, { companyId: rows[0]?.id ?? '', from: 0, to: notesEach });
  }
};
