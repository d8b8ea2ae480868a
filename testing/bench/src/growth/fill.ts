import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Bench } from '../measurement.ts';

/** Notes of each company that only adds size. */
const notesEach = 20;

/** The range of change numbers to add to each company. */
type Filling = {
  readonly companyIds: readonly string[];
  readonly from: number;
  readonly to: number;
};

/**
 * Adds notes to companies by SQL, as if written one by one: with their first revision, owner and search
 * document, and with head, count and digest of the feed. Each note has a few words of its own; one in a
 * thousand contains the word `needle`.
 */
const fillCompanies = async (client: pg.Client, filling: Filling): Promise<void> => {
  const { companyIds, from, to } = filling;
  await client.query(openFeeds, [companyIds]);
  const step = Math.max(1, Math.floor(stepRows / companyIds.length));
  for (let first = from; first < to; first += step) {
    const last = Math.min(to, first + step);
    await client.query('begin');
    await client.query(insertNotes, [companyIds, first + 1, last]);
    await client.query(moveFeeds, [companyIds, first, last]);
    await client.query('commit');
  }
};

/** Adds companies that only add size. */
export const addCompanies = (client: pg.Client, count: number): Promise<void> => {
  const companyIds = Array.from({ length: count }, () => randomUUID());
  return fillCompanies(client, { companyIds, from: 0, to: notesEach });
};

/** Adds notes to a company until its feed has `to` changes. */
export const fillCompany = async (
  client: pg.Client,
  companyId: string,
  to: number,
): Promise<void> => {
  const { rows } = await client.query<{ head: string }>(headOf, [companyId]);
  await fillCompanies(client, { companyIds: [companyId], from: Number(rows[0]?.head ?? 0), to });
};

const headOf = 'select f.head from notes.company_feed f where f.company_id = $1';

const stepRows = 50_000;

const openFeeds = `
  insert into notes.company_feed (company_id, epoch)
  select c, gen_random_uuid() from unnest($1::uuid[]) c
  on conflict (company_id) do nothing`;

const insertNotes = `
  with r as materialized (
    select c as company_id, i as change_no, gen_random_uuid() as id, 'Note ' || i as title,
      case when i % 1000 = 0 then 'needle ' else '' end || repeat('word' || i % 9973 || ' of note ', 12)
        as content,
      timestamptz '2026-01-01' + i * interval '1 second' as at
    from unnest($1::uuid[]) c cross join generate_series($2::integer, $3::integer) i
  ), revisions as (
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
      pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
    select company_id, id, 1, title, content, '', '{}', false, false, '{}', length(content), false, at,
      'agent', company_id from r
  ), owners as (
    insert into notes.note_owner (id, company_id) select id, company_id from r
  ), documents as (
    insert into notes.note_search (company_id, note_id, document)
    select company_id, id, regexp_replace(notes.search_document(title, content)::text,
      '''(\\w+)''', '''' || right(company_id::text, 6) || '\\1''', 'g')::tsvector from r
  ), words as (
    insert into notes.search_words (company_id, word)
    select c, w from unnest($1::uuid[]) c cross join (
      select unnest(array['note', 'of', 'needle']) as w
      union all select 'word' || i from generate_series(0, 9972) i
      where i between $2::integer and $3::integer or $3::integer >= 9973
    ) words
    on conflict (company_id, word) do nothing
  ), progress as (
    insert into notes.search_progress as p (company_id, change_no, rebuilt_no)
    select c, $3, $3 from unnest($1::uuid[]) c
    on conflict (company_id) do update
      set change_no = excluded.change_no, rebuilt_no = excluded.rebuilt_no
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, created_at, created_by_kind, created_by_id,
    updated_at, updated_by_kind, updated_by_id)
  select company_id, id, 1, change_no, title, content, '', '{}', false, false, '{}', length(content),
    left(content, 200), length(content) + 900, at, 'agent', company_id, at, 'agent', company_id from r`;

/** The digest is the sum modulo 2^64 of the first eight bytes of SHA-256 over \`id:revision\`. */
const moveFeeds = `
  update notes.company_feed f set head = $3::bigint, live_count = f.live_count + d.notes,
    digest = lpad(to_hex((mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
      - case when mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
          >= 9223372036854775808 then 18446744073709551616 else 0 end
      + case when mod(d.sum + ('x' || f.digest)::bit(64)::bigint, 18446744073709551616)
          < -9223372036854775808 then 18446744073709551616 else 0 end)::bigint), 16, '0')
  from (
    select n.company_id, count(*) as notes, coalesce(sum(('x' || left(encode(sha256(
      convert_to(n.id || ':1', 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric), 0) as sum
    from notes.notes n where n.company_id = any ($1::uuid[]) and n.change_no > $2 and n.change_no <= $3
    group by n.company_id
  ) d
  where f.company_id = d.company_id`;

const sizes = {
  whole: { notes: [1_000, 10_000, 100_000, 1_000_000], companies: [1, 100, 10_000] },
  quick: { notes: [1_000, 10_000, 100_000], companies: [1, 100, 1_000] },
} as const;

/** Notes in one company, and number of companies, at each step of growth. */
export const sizesOf = ({ profile }: Pick<Bench, 'profile'>) =>
  profile.rounds < 5 ? sizes.quick : sizes.whole;
