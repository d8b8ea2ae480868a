import type { NoteId } from '@commonplace/contracts/core';
import type { UndoSource } from '@commonplace/contracts/notes';
import type { CompanyTx } from '@commonplace/db';
import { binder, type Bind } from './note-filters.ts';
import { sourceConditions } from './source-conditions.ts';
import type { PlanPosition } from './undos.ts';

/** The versions that a source wrote, up to a change number. */
export type SourceVersions = {
  readonly source: UndoSource;
  readonly lastChange: number;
};

/** The columns with the credential of a version `v`. */
const columns = {
  runId: 'v.created_by_run_id',
  keyId: 'v.created_by_key_id',
  connectionId: 'v.created_by_connection_id',
  agentId: 'v.created_by_id',
  firstAt: 'v.created_at',
  lastAt: 'v.created_at',
} as const;

/** Whether the source wrote a version `v`. */
const isOfSource = ({ source, lastChange }: SourceVersions, bind: Bind): string =>
  [
    ...sourceConditions(source, columns, bind),
    ...(source.agentId === undefined ? [] : [`v.created_by_kind = 'agent'`]),
    ...(source.undoId === undefined
      ? []
      : [
          `v.via = 'undo' and exists (
             select from notes.undo_notes u
             where u.company_id = $1 and u.undo_id = ${bind(source.undoId)}::uuid
               and u.note_id = v.note_id and u.revision = v.revision)`,
        ]),
    `(v.change_no is null or v.change_no <= ${bind(lastChange)}::bigint)`,
  ].join(' and ');

/** A version that the source wrote. */
export type SourceVersion = {
  readonly noteId: NoteId;
  readonly revision: number;
  readonly at: Date;
};

export type SourcePage = {
  readonly after: PlanPosition | null;
  readonly limit: number;
};

/** A page of the versions that a source wrote, by time. Those of an undo are listed by `listNotesOfUndo`. */
export const listSourceVersions = (
  tx: CompanyTx,
  versions: SourceVersions,
  { after, limit }: SourcePage,
): Promise<SourceVersion[]> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  const from = after
    ? `and (v.created_at, v.note_id, v.revision) >
         (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid, ${bind(after[2])}::integer)`
    : '';
  return tx.query<SourceVersion>(
    `select v.note_id as "noteId", v.revision, v.created_at as at
     from notes.note_revisions v
     where v.company_id = $1 and ${isOfSource(versions, bind)} ${from}
     order by v.created_at, v.note_id, v.revision
     limit ${bind(limit)}`,
    values,
  );
};

/** The notes in which an undo wrote a version. */
export const listNotesOfUndo = async (tx: CompanyTx, undoId: string): Promise<NoteId[]> => {
  const rows = await tx.query<{ noteId: NoteId }>(
    `select n.note_id as "noteId" from notes.undo_notes n
     where n.company_id = $1 and n.undo_id = $2 and n.revision is not null
     order by n.note_id`,
    [tx.companyId, undoId],
  );
  return rows.map(({ noteId }) => noteId);
};

/** A version of a note without its text, and whether the source wrote it. */
export type HistoryVersion = {
  readonly noteId: NoteId;
  readonly revision: number;
  readonly deleted: boolean;
  readonly size: number;
  readonly at: Date;
  readonly isSource: boolean;
};

/**
 * The versions of notes from the one before the first that the source wrote, oldest first. Of a note with more than
 * `limit` of them the oldest.
 */
export const listHistories = (
  tx: CompanyTx,
  versions: SourceVersions,
  { noteIds, limit }: { readonly noteIds: readonly NoteId[]; readonly limit: number },
): Promise<HistoryVersion[]> => {
  const { bind, values } = binder();
  bind(tx.companyId);
  bind([...noteIds]);
  const isSource = isOfSource(versions, bind);
  return tx.query<HistoryVersion>(
    `select h.note_id as "noteId", h.revision, h.deleted, h.size, h.created_at as at, h.is_source as "isSource"
     from unnest($2::uuid[]) as w (id)
     cross join lateral (
       select min(v.revision) as revision from notes.note_revisions v
       where v.company_id = $1 and v.note_id = w.id and ${isSource}
     ) first
     cross join lateral (
       select v.note_id, v.revision, v.deleted, v.size, v.created_at, (${isSource}) as is_source
       from notes.note_revisions v
       where v.company_id = $1 and v.note_id = w.id and v.revision >= first.revision - 1
       order by v.revision
       limit ${bind(limit)}
     ) h
     order by h.note_id, h.revision`,
    values,
  );
};

/** Conflict copies of notes that exist, and when they were made. */
export const listConflictCopies = (
  tx: CompanyTx,
  noteIds: readonly NoteId[],
): Promise<{ readonly noteId: NoteId; readonly copyId: NoteId; readonly at: Date }[]> =>
  tx.query(
    `select n.conflict_of as "noteId", n.id as "copyId", n.created_at as at
     from notes.notes n
     where n.company_id = $1 and n.conflict_of = any ($2::uuid[]) and n.deleted_at is null
     order by n.conflict_of, n.created_at, n.id`,
    [tx.companyId, [...noteIds]],
  );

/** Versions of notes that synchronisation made by merging. */
export const listMergedVersions = (
  tx: CompanyTx,
  noteIds: readonly NoteId[],
): Promise<{ readonly noteId: NoteId; readonly revision: number }[]> =>
  tx.query(
    `select m.note_id as "noteId", m.revision from notes.mutations m
     where m.company_id = $1 and m.note_id = any ($2::uuid[]) and m.status = 'merged'
       and m.revision is not null
     order by m.note_id, m.revision`,
    [tx.companyId, [...noteIds]],
  );
