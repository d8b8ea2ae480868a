import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import { inIndexOrder, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import { listNotesById } from '../queries/notes.ts';
import { listEarlierUndos } from '../queries/undo-notes.ts';
import {
  listConflictCopies,
  listHistories,
  listMergedVersions,
  type HistoryVersion,
  type SourceVersions,
} from '../queries/undo-sources.ts';
import { versionsOfSource } from '../rules/versions-of-source.ts';

/** What an undo knows of a note before it reads texts. */
export type NoteHistory = {
  readonly noteId: NoteId;
  /** Null: it was purged. */
  readonly note: StoredNote | null;
  /** From the version before the first of the source, oldest first; see `versionsOfSource`. */
  readonly versions: readonly HistoryVersion[];
  readonly conflictCopies: readonly NoteId[];
  readonly merges: readonly number[];
};

/** A note with more versions since is not undone. */
export const versionsMax = 5_000;
const listedMax = 20;

/** Reads what notes became since a source wrote them. */
export const readHistories = async (
  { db }: Pick<Deps, 'db'>,
  companyId: CompanyId,
  { source, noteIds }: { readonly source: SourceVersions; readonly noteIds: readonly NoteId[] },
): Promise<NoteHistory[]> => {
  const [notes, versions, earlier, copies, merged] = await read(db, inIndexOrder(companyId), (tx) =>
    Promise.all([
      listNotesById(tx, noteIds),
      listHistories(tx, source, { noteIds, limit: versionsMax }),
      listEarlierUndos(tx, noteIds),
      listConflictCopies(tx, noteIds),
      listMergedVersions(tx, noteIds),
    ]),
  );
  const noteOf = new Map(notes.map((note) => [note.id, note]));
  const [versionsOf, earlierOf, copiesOf, mergedOf] = [
    Map.groupBy(versions, ({ noteId }) => noteId),
    Map.groupBy(earlier, ({ noteId }) => noteId),
    Map.groupBy(copies, ({ noteId }) => noteId),
    Map.groupBy(merged, ({ noteId }) => noteId),
  ];
  return noteIds.map((noteId) => {
    const stored = versionsOf.get(noteId) ?? [];
    const written = stored.flatMap(({ isSource, revision }) => (isSource ? [revision] : []));
    const ofSource = versionsOfSource(written, earlierOf.get(noteId) ?? []);
    const own = stored.map((each) => ({ ...each, isSource: ofSource.has(each.revision) }));
    const first = own.find(({ isSource }) => isSource);
    return {
      noteId,
      note: noteOf.get(noteId) ?? null,
      versions: own,
      conflictCopies: (copiesOf.get(noteId) ?? [])
        .filter(({ at }) => first !== undefined && at >= first.at)
        .slice(0, listedMax)
        .map(({ copyId }) => copyId),
      merges: (mergedOf.get(noteId) ?? [])
        .map(({ revision }) => revision)
        .filter((revision) => first && revision > first.revision && !ofSource.has(revision))
        .slice(0, listedMax),
    };
  });
};
