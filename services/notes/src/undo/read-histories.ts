import type { CompanyId, NoteId } from '@commonplace/contracts/core';
import { inIndexOrder, read } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import { listNotesById } from '../queries/notes.ts';
import { listEarlierUndos, type EarlierUndo } from '../queries/undo-notes.ts';
import {
  listConflictCopies,
  listHistories,
  listMergedVersions,
  type HistoryVersion,
  type SourceVersions,
} from '../queries/undo-sources.ts';

/** What an undo knows of a note before it reads texts. */
export type NoteHistory = {
  readonly noteId: NoteId;
  /** Null: it was purged. */
  readonly note: StoredNote | null;
  /** From the version before the first of the source, oldest first; those that an undo took out are not the source's. */
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
    const undone = takenOut(earlierOf.get(noteId) ?? []);
    const own = (versionsOf.get(noteId) ?? []).map((version) => ({
      ...version,
      isSource: version.isSource && !undone.has(version.revision),
    }));
    const first = own.find(({ isSource }) => isSource);
    const isSource = new Set(own.filter((each) => each.isSource).map(({ revision }) => revision));
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
        .filter((revision) => first && revision > first.revision && !isSource.has(revision))
        .slice(0, listedMax),
    };
  });
};

/** The versions that undos took out as a whole, and that no later undo brought back. */
const takenOut = (earlier: readonly EarlierUndo[]): ReadonlySet<number> => {
  const whole = earlier.filter(({ outcome }) => outcome !== 'partly');
  const back = new Set(whole.flatMap(({ undoes }) => undoes));
  return new Set(whole.flatMap(({ revision, undoes }) => (back.has(revision) ? [] : undoes)));
};
