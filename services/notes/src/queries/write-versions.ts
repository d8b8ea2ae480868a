import {
  booleanColumn,
  integerColumn,
  textColumn,
  timeColumn,
  updateColumns,
  uuidColumn,
  versionColumns,
  versionsInsert,
} from './version-columns.ts';

/**
 * Writes every version to note_revisions, and the last of each note to notes. The revision of a deletion has no
 * text, and neither has one whose text is stored elsewhere (see `textOf`). A tombstone keeps the text of its note; text that was
 * not read (null with `size` above 0) stays unchanged.
 */
export const insertVersions = versionsInsert({
  name: 'notes.insert-versions',
  columns: [
    ...versionColumns,
    timeColumn('created_at', ({ note }) => note.createdAt),
    textColumn('created_by_kind', ({ note }) => note.createdByKind),
    uuidColumn('created_by_id', ({ note }) => note.createdById),
    uuidColumn('created_by_run_id', ({ note }) => note.createdByRunId),
    ...updateColumns,
    timeColumn('deleted_at', ({ note }) => note.deletedAt),
    booleanColumn('is_last', ({ isLast }) => isLast),
    booleanColumn('has_text', ({ hasText }) => hasText),
    integerColumn('texts_from', ({ note }) => note.textsFrom),
    integerColumn('restored_from', ({ restoredFrom }) => restoredFrom),
  ],
  revisions: ({ from, company }) => `
      insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
        pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id,
        created_by_run_id, created_by_key_id, created_by_connection_id, via, change_no, restored_from)
      select ${company}, r.id, r.revision, r.title,
        case when r.deleted_at is not null then '' when r.has_text then r.content end, r.folder, r.tags, r.pinned, r.archived, r.properties,
        case when r.deleted_at is null then r.size else 0 end, r.deleted_at is not null,
        r.updated_at, r.updated_by_kind, r.updated_by_id, r.updated_by_run_id, r.key_id, r.connection_id, r.via,
        r.change_no, r.restored_from
      from ${from}`,
  notes: ({ from, company }) => `
    insert into notes.notes as n (company_id, id, revision, change_no, title, content, folder, tags, pinned,
      archived, properties, size, snippet, wire_bytes, conflict_of, created_at, created_by_kind,
      created_by_id, created_by_run_id, updated_at, updated_by_kind, updated_by_id, updated_by_run_id,
      deleted_at, sent_by, texts_from, texts_to)
    select ${company}, r.id, r.revision, r.change_no, r.title, coalesce(r.content, ''), r.folder, r.tags, r.pinned,
      r.archived, r.properties, r.size, r.snippet, r.wire_bytes, r.conflict_of, r.created_at,
      r.created_by_kind, r.created_by_id, r.created_by_run_id, r.updated_at, r.updated_by_kind,
      r.updated_by_id, r.updated_by_run_id, r.deleted_at, r.sent_by, r.texts_from,
      case when r.texts_from is not null then r.revision end
    from ${from} and r.is_last
    on conflict (company_id, id) do update set revision = excluded.revision,
      change_no = excluded.change_no, title = excluded.title,
      content = case when excluded.content = '' and excluded.size > 0 then n.content
        else excluded.content end,
      folder = excluded.folder, tags = excluded.tags, pinned = excluded.pinned,
      archived = excluded.archived, properties = excluded.properties, size = excluded.size,
      snippet = excluded.snippet, wire_bytes = excluded.wire_bytes,
      updated_at = excluded.updated_at, updated_by_kind = excluded.updated_by_kind,
      updated_by_id = excluded.updated_by_id, updated_by_run_id = excluded.updated_by_run_id,
      deleted_at = excluded.deleted_at, sent_by = excluded.sent_by,
      texts_from = excluded.texts_from, texts_to = excluded.texts_to
  `,
});

/**
 * Writes new notes with a single version each. A special case of `insertVersions` at five sixths of its cost in
 * PostgreSQL, worthwhile because first pushes are large: no conflict check, creation equals update, no deletions.
 */
export const insertNewNotes = versionsInsert({
  name: 'notes.insert-new-notes',
  columns: [...versionColumns, ...updateColumns],
  revisions: ({ from, company }) => `
      insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
        pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id,
        created_by_run_id, created_by_key_id, created_by_connection_id, via, change_no)
      select ${company}, r.id, r.revision, r.title, r.content, r.folder, r.tags, r.pinned, r.archived,
        r.properties, r.size, false, r.updated_at, r.updated_by_kind, r.updated_by_id,
        r.updated_by_run_id, r.key_id, r.connection_id, r.via,
        r.change_no
      from ${from}`,
  notes: ({ from, company }) => `
    insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
      archived, properties, size, snippet, wire_bytes, conflict_of, created_at, created_by_kind,
      created_by_id, created_by_run_id, updated_at, updated_by_kind, updated_by_id, updated_by_run_id, sent_by)
    select ${company}, r.id, r.revision, r.change_no, r.title, r.content, r.folder, r.tags, r.pinned,
      r.archived, r.properties, r.size, r.snippet, r.wire_bytes, r.conflict_of, r.updated_at,
      r.updated_by_kind, r.updated_by_id, r.updated_by_run_id, r.updated_at, r.updated_by_kind,
      r.updated_by_id, r.updated_by_run_id, r.sent_by
    from ${from}
  `,
});
