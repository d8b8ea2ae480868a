import { updateColumns, versionColumns, versionsInsert } from './version-columns.ts';

/**
 * Writes notes that were not there before, each with the one version it has. What `insertVersions` does for
 * any version, at five sixths of what it costs PostgreSQL: first pushes are large, and of a new note nothing
 * has to be looked for, its creation is its update, and it lives.
 */
export const insertNewNotes = versionsInsert({
  name: 'notes: insert new notes',
  columns: [...versionColumns, ...updateColumns],
  statement: `
    revisions as (
      insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
        pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id,
        created_by_run_id)
      select $1, r.id, r.revision, r.title, r.content, r.folder, r.tags, r.pinned, r.archived,
        r.properties, r.size, false, r.updated_at, r.updated_by_kind, r.updated_by_id,
        r.updated_by_run_id
      from r
    )
    insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
      archived, properties, size, snippet, wire_bytes, conflict_of, created_at, created_by_kind,
      created_by_id, created_by_run_id, updated_at, updated_by_kind, updated_by_id, updated_by_run_id)
    select $1, r.id, r.revision, r.change_no, r.title, r.content, r.folder, r.tags, r.pinned,
      r.archived, r.properties, r.size, r.snippet, r.wire_bytes, r.conflict_of, r.updated_at,
      r.updated_by_kind, r.updated_by_id, r.updated_by_run_id, r.updated_at, r.updated_by_kind,
      r.updated_by_id, r.updated_by_run_id
    from r
  `,
});
