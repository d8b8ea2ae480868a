import { newId, noteId, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import type { Author, NoteFields } from '@commonplace/contracts/notes';
import type { NextVersion } from '../rules/decision.ts';
import { movedDigest, type ActiveNote } from '../rules/feed-digest.ts';
import { isActive } from '../rules/note-state.ts';
import type { FeedRow } from '../queries/feed.ts';
import type { VersionRow } from '../queries/version-columns.ts';
import type { PurgedNote } from '../queries/notes.ts';
import type { StoredNote } from '../queries/note-rows.ts';
import { firstVersion, nextVersion, wireBytesOf } from './note-versions.ts';

export type StagingInput = {
  readonly companyId: CompanyId;
  readonly feed: FeedRow;
  readonly notes: readonly StoredNote[];
  readonly purged: readonly PurgedNote[];
  readonly at: Date;
};

type StagedVersion = Pick<VersionRow, 'note' | 'isFirst'>;

/**
 * The notes of a transaction while its changes are decided, one after the other: each sees what the
 * ones before it did. Nothing is written here; `drainVersions` and `feed` say what is to be written.
 */
export const stageNotes = ({ companyId, feed, notes, purged, at }: StagingInput) => {
  const now = new Map(notes.map((note) => [note.id, note]));
  const lastRevisionOf = new Map(purged.map(({ id, revision }) => [id, revision]));
  const created: NoteId[] = [];
  const untaken: StagedVersion[] = [];
  let versionCount = 0;
  const living = { added: [] as ActiveNote[], removed: [] as ActiveNote[] };

  const head = (): number => feed.head + versionCount;
  const stampOf = (author: Author) => ({ author, at, changeNo: head() + 1 });

  const write = (note: StoredNote): StoredNote => {
    const before = now.get(note.id) ?? null;
    living.removed.push(...(isActive(before) ? [before] : []));
    living.added.push(...(isActive(note) ? [note] : []));
    now.set(note.id, note);
    created.push(...(before === null ? [note.id] : []));
    untaken.push({ note, isFirst: before === null });
    versionCount += 1;
    return note;
  };

  /** A note that was purged goes on with its revisions: those it had are still there. */
  const firstRevision = (id: NoteId, revision: number): number =>
    Math.max(revision, (lastRevisionOf.get(id) ?? 0) + 1);

  /** Moves a note to its next version, or starts it. */
  const advance = (id: NoteId, next: NextVersion, author: Author): StoredNote => {
    const before = now.get(id);
    if (before) {
      return write(nextVersion(before, next, stampOf(author)));
    }
    const first = { fields: fieldsOf(next), revision: firstRevision(id, next.revision) };
    return write(firstVersion({ id, companyId, conflictOf: null }, first, stampOf(author)));
  };

  /** Keeps what lost a conflict as a note of its own. */
  const createConflictCopy = (fields: NoteFields, conflictOf: NoteId, author: Author): NoteId => {
    const id = noteId.parse(newId());
    const first = { fields, revision: 1 };
    return write(firstVersion({ id, companyId, conflictOf }, first, stampOf(author))).id;
  };

  return {
    find: (id: NoteId): StoredNote | null => now.get(id) ?? null,
    advance,
    createConflictCopy,
    /** Ids of notes that were not there before. */
    created: (): readonly NoteId[] => created,
    /** What is to be written and was not taken yet. The text of a version is gone over when it is taken. */
    drainVersions: () => rowsOf(untaken.splice(0), now),
    hasVersions: (): boolean => versionCount > 0,
    /** Where the feed stands when all this is written. */
    feed: (): FeedRow => ({
      ...feed,
      head: head(),
      liveCount: feed.liveCount + living.added.length - living.removed.length,
      digest: movedDigest(feed.digest, living),
    }),
  };
};

const fieldsOf = ({ fields }: NextVersion): NoteFields => {
  if (!fields) {
    throw new Error('There is no note to delete');
  }
  return fields;
};

function* rowsOf(
  made: readonly StagedVersion[],
  now: ReadonlyMap<NoteId, StoredNote>,
): Generator<VersionRow, void> {
  for (const { note, isFirst } of made) {
    yield { note, wireBytes: wireBytesOf(note), isFirst, isLast: now.get(note.id) === note };
  }
}

export type StagedNotes = ReturnType<typeof stageNotes>;
