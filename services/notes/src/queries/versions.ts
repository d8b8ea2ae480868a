import type { NoteId, ProposalId, UndoId } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';
import type { AuthorKind, Via, WritableRow } from './note-rows.ts';
import type { CompanyTx } from '@commonplace/db';
import { newestUndone } from './undo-notes.ts';
import { textOf, type VersionName } from './version-texts.ts';
import { nameFor } from './visible-notes.ts';

/** A row of notes.note_revisions, with the names of `revisionSummaryColumns`, content and properties. */
export type RevisionRow = WritableRow & {
  readonly noteId: NoteId;
  readonly revision: number;
  readonly deleted: boolean;
  readonly size: number;
  readonly createdAt: Date;
  readonly createdByKind: AuthorKind;
  readonly createdById: string;
  readonly createdByRunId: string | null;
  readonly createdByKeyId: string | null;
  readonly createdByConnectionId: string | null;
  readonly via: Via | null;
  /** The earlier version that it restored; null: none. */
  readonly restoredFrom: number | null;
};

/** All columns of a version `v` but content and properties. */
const revisionSummaryColumns = `
  v.note_id as "noteId", v.revision, v.deleted, v.title, v.folder, v.tags, v.pinned, v.archived, v.size,
  v.created_at as "createdAt", v.created_by_kind as "createdByKind",
  v.created_by_id as "createdById", v.created_by_run_id as "createdByRunId",
  v.created_by_key_id as "createdByKeyId", v.created_by_connection_id as "createdByConnectionId", v.via,
  v.restored_from as "restoredFrom"
`;

export type RevisionSummaryRow = Omit<RevisionRow, 'content' | 'properties'> & Provenance;

/** What a version came from besides its author. */
export type Provenance = ByUndo & ByProposal;

/** The proposal that a version was, and who accepted it; null: it was none. */
export type ByProposal = {
  readonly acceptance: { readonly proposalId: ProposalId; readonly acceptedBy: Author } | null;
};

/** Of versions with this alias. */
export const byProposal = (v = 'v'): string => `
  (select json_build_object('proposalId', p.id, 'acceptedBy', p.decided_by) from notes.proposals p
   where p.company_id = $1 and p.note_id = ${v}.note_id and p.revision = ${v}.revision
   limit 1) as acceptance`;

/** The undo that wrote a version, and the versions it took out; null: none. */
type ByUndo = {
  readonly undoes: { readonly undoId: UndoId; readonly revisions: number[] } | null;
};

const byUndo = `
  case when v.via = 'undo' then (
    select json_build_object('undoId', u.undo_id, 'revisions', ${newestUndone('u')}) from notes.undo_notes u
    where u.company_id = $1 and u.note_id = v.note_id and u.undone_to = v.revision - 1
      and u.revision = v.revision
    limit 1
  ) end as undoes`;

export type RevisionPage = {
  readonly id: NoteId;
  /** The last revision of the page before; null: the first page. */
  readonly before: number | null;
  readonly limit: number;
};

/** A version that was read; `isRead`: with its text, or without it because of its size. */
type ReadVersion = VersionOrSummary & { readonly isRead: boolean };

/**
 * Completes versions whose text is stored elsewhere, by a function of the owner. By a statement of its own, because on
 * Citus no function may read within a query that is sent to a node.
 */
const readLaterTexts = async <Row extends ReadVersion>(
  tx: CompanyTx,
  rows: readonly Row[],
): Promise<Row[]> => {
  const without = rows.filter(
    ({ isRead, content, deleted }) => isRead && content === null && !deleted,
  );
  if (tx.folders === null || without.length === 0) {
    return [...rows];
  }
  const texts = await tx.query<{ content: string | null }>(
    `select notes.text_of(w.id, w.revision) as content
     from unnest($1::uuid[], $2::integer[]) with ordinality as w (id, revision, place)
     order by w.place`,
    [without.map(({ noteId }) => noteId), without.map(({ revision }) => revision)],
    'notes.texts-of-later-versions',
  );
  const textsOf = new Map(without.map((row, index) => [row, texts[index]?.content ?? null]));
  return rows.map((row) => ({ ...row, content: textsOf.get(row) ?? row.content }));
};

/** A page of the versions of a note, newest first. */
export const listRevisions = (tx: CompanyTx, page: RevisionPage): Promise<RevisionSummaryRow[]> =>
  tx.query<RevisionSummaryRow>(
    `select ${revisionSummaryColumns}, ${byUndo}, ${byProposal()}
     from notes.note_revisions v
     where v.company_id = $1 and v.note_id = $2 and v.revision < coalesce($3::integer, 2147483647)
     order by v.revision desc
     limit $4`,
    [tx.companyId, page.id, page.before, page.limit],
  );

/** A version; content is null if it was left out. */
export type VersionOrSummary = Omit<RevisionRow, 'content'> & { readonly content: string | null };

/** One version; its content is left out where it is more than `bytesMax`. */
export const findVersion = async (
  tx: CompanyTx,
  { id, revision }: VersionName,
  bytesMax: number,
): Promise<(VersionOrSummary & Provenance) | null> => {
  const rows = await tx.query<ReadVersion & Provenance>(
    `select ${revisionSummaryColumns}, ${byUndo}, ${byProposal()}, v.properties, v.size <= $4 as "isRead",
       case when v.size <= $4 then ${textOf(tx)} end as content
     from notes.note_revisions v
     where v.company_id = $1 and v.note_id = $2 and v.revision = any (array[$3::integer])
     order by v.revision`,
    [tx.companyId, id, revision, bytesMax],
    nameFor(tx, 'notes.find-version'),
  );
  const [row] = await readLaterTexts(tx, rows);
  return row ?? null;
};

/**
 * Those of the versions that are stored, including deletions, in the order of `names`. Content beyond `bytesMax`
 * is not read; that of the first version always is. For reads in index order.
 */
export const listVersions = async (
  tx: CompanyTx,
  names: readonly VersionName[],
  bytesMax: number,
): Promise<VersionOrSummary[]> => {
  const rows = await tx.query<ReadVersion>(
    `select ${revisionSummaryColumns}, v.properties, v.bytes <= $4 or v.bytes = v.size as "isRead",
       case when v.bytes <= $4 or v.bytes = v.size then ${textOf(tx)} end as content
     from (
       select v.*, sum(v.size) over (order by w.place rows unbounded preceding) as bytes
       from unnest($2::uuid[], $3::integer[]) with ordinality as w (id, revision, place)
       cross join lateral (
         select v.* from notes.note_revisions v
         where v.company_id = $1 and v.note_id = w.id and v.revision = any (array[w.revision])
         order by v.revision
       ) v
     ) v
     order by v.bytes`,
    [tx.companyId, names.map(({ id }) => id), names.map(({ revision }) => revision), bytesMax],
    nameFor(tx, 'notes.list-versions'),
  );
  return readLaterTexts(tx, rows);
};
