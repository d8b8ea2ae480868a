import type { CompanyTx } from '@commonplace/db';
import type { NoteRow } from './note-row.ts';

/** One new version of a note. */
export type VersionRow = {
  readonly note: NoteRow;
  /** About the bytes of the note in an answer. */
  readonly wireBytes: number;
  /** A batch may change a note several times; only the last version goes into notes.notes. */
  readonly isLast: boolean;
};

/**
 * Writes versions: every one into note_revisions, the last of each note into notes. One statement
 * whatever their number, so that the text travels once. A deletion stores no text; the version before
 * it has it.
 */
export const insertVersions = async (
  tx: CompanyTx,
  versions: readonly VersionRow[],
): Promise<void> => {
  const rows = versions.map(({ note, ...rest }) => ({ ...note, ...rest }));
  await tx.query(statement, [tx.companyId, JSON.stringify(rows)], 'notes: insert versions');
};

const statement = `
  with r as materialized (
    select * from json_to_recordset($2) as r (
      id uuid, revision integer, "changeNo" bigint, title text, content text, folder text, tags text[],
      pinned boolean, archived boolean, properties json, size integer, snippet text,
      "wireBytes" integer, "conflictOf" uuid,
      "createdAt" timestamptz, "createdByKind" text, "createdById" uuid, "createdByRunId" uuid,
      "updatedAt" timestamptz, "updatedByKind" text, "updatedById" uuid, "updatedByRunId" uuid,
      "deletedAt" timestamptz, "isLast" boolean)
  ), revisions as (
    insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
      pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id,
      created_by_run_id)
    select $1, r.id, r.revision, r.title, case when r."deletedAt" is null then r.content else '' end,
      r.folder, r.tags, r.pinned, r.archived, r.properties,
      case when r."deletedAt" is null then r.size else 0 end, r."deletedAt" is not null,
      r."updatedAt", r."updatedByKind", r."updatedById", r."updatedByRunId"
    from r
  )
  insert into notes.notes (company_id, id, revision, change_no, title, content, folder, tags, pinned,
    archived, properties, size, snippet, wire_bytes, conflict_of, created_at, created_by_kind,
    created_by_id, created_by_run_id, updated_at, updated_by_kind, updated_by_id, updated_by_run_id,
    deleted_at)
  select $1, r.id, r.revision, r."changeNo", r.title, r.content, r.folder, r.tags, r.pinned,
    r.archived, r.properties, r.size, r.snippet, r."wireBytes", r."conflictOf", r."createdAt",
    r."createdByKind", r."createdById", r."createdByRunId", r."updatedAt", r."updatedByKind",
    r."updatedById", r."updatedByRunId", r."deletedAt"
  from r where r."isLast"
  on conflict (company_id, id) do update set revision = excluded.revision,
    change_no = excluded.change_no, title = excluded.title, content = excluded.content,
    folder = excluded.folder, tags = excluded.tags, pinned = excluded.pinned,
    archived = excluded.archived, properties = excluded.properties, size = excluded.size,
    snippet = excluded.snippet, wire_bytes = excluded.wire_bytes,
    updated_at = excluded.updated_at, updated_by_kind = excluded.updated_by_kind,
    updated_by_id = excluded.updated_by_id, updated_by_run_id = excluded.updated_by_run_id,
    deleted_at = excluded.deleted_at
`;
