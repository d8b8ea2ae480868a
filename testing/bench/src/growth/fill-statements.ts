/**
 * Inserts the notes $2 to $3 of the companies $1, each with links to $4 earlier notes, or with one to the title $5.
 */
export const insertNotes = `
  with r as materialized (
    select c as company_id, i as change_no, gen_random_uuid() as id, 'Note ' || i as title, t.titles,
      coalesce('[[' || nullif(array_to_string(t.titles, ']] [['), '') || ']] ', '')
        || case when i % 1000 = 0 then 'needle ' else '' end
        || repeat('word' || i % 9973 || ' of note ', 12) as content,
      timestamptz '2026-01-01' + i * interval '1 second' as at
    from unnest($1::uuid[]) c cross join generate_series($2::integer, $3::integer) i
    cross join lateral (
      select case when $5::text is not null then array[$5::text] else array(
        select distinct 'Note ' || 1 + (hashint4(i * 16 + p) & 2147483647) % i
        from generate_series(1, $4::integer) p) end as titles
    ) t
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
  ), entries as (
    insert into notes.catalog_entries (company_id, note_id, title_key, created_at, folder, tags)
    select company_id, id, lower(title), at, '', '{}' from r
  ), links as (
    insert into notes.note_links (company_id, source_id, place, title, title_key, char_offset)
    select company_id, id, l.place - 1, l.title, lower(l.title), case when l.place = 1 then 0
      else length(array_to_string(r.titles[1:l.place - 1], ']] [[')) + 5 end
    from r cross join unnest(r.titles) with ordinality as l (title, place)
  ), labels as (
    insert into notes.label_counts as l (company_id, kind, name, notes)
    select c, 'folder', '', $3 - $2 + 1 from unnest($1::uuid[]) c
    on conflict (company_id, kind, name) do update set notes = l.notes + excluded.notes
  ), catalog as (
    insert into notes.catalog_progress as p (company_id, change_no, backfilled_no, backfill_to)
    select c, $3, 0, 0 from unnest($1::uuid[]) c
    on conflict (company_id) do update set change_no = excluded.change_no
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, created_at, created_by_kind, created_by_id,
    updated_at, updated_by_kind, updated_by_id)
  select company_id, id, 1, change_no, title, content, '', '{}', false, false, '{}', length(content),
    left(content, 200), length(content) + 900, at, 'agent', company_id, at, 'agent', company_id from r`;

/**
 * Moves the feeds of the companies $1 from change $2 to $3. The digest is the sum modulo 2^64 of the first eight
 * bytes of SHA-256 over `id:revision`.
 */
export const moveFeeds = `
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
