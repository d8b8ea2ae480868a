import { departureOf, type Departure } from '../queries/departures.ts';
import { newId, noteId, type CompanyId, type NoteId } from '@commonplace/contracts/core';
import type { Author, NoteFields } from '@commonplace/contracts/notes';
import type { NextVersion } from '../rules/decision.ts';
import { movedDigest, type ActiveNote } from '../rules/feed-digest.ts';
import { isActive } from '../rules/note-state.ts';
import type { FeedRow } from '../queries/feed.ts';
import type { VersionRow } from '../queries/version-columns.ts';
import type { PurgedNote } from '../queries/notes.ts';
import type { WritableNote } from '../queries/note-rows.ts';
import { firstVersion, nextVersion, wireBytesOf } from './note-versions.ts';
import type { SharedTexts } from './shares-texts.ts';
import { trackTexts, type TrackedTexts } from './track-texts.ts';

export type StagingInput = {
  readonly companyId: CompanyId;
  readonly feed: FeedRow;
  readonly notes: readonly WritableNote[];
  readonly purged: readonly PurgedNote[];
  readonly at: Date;
  readonly sharing: SharedTexts;
};

/** The author of a version, and the client that sent it exactly as it is stored. */
export type StagedAuthor = Author & { readonly clientId?: string | null };

/** What the versions of a transaction add to the active notes, and take away from them and from folders. */
type Moves = {
  readonly added: ActiveNote[];
  readonly removed: ActiveNote[];
  readonly departures: Departure[];
};

const recordMove = (moves: Moves, before: WritableNote | null, note: WritableNote): void => {
  moves.removed.push(...(isActive(before) ? [before] : []));
  moves.added.push(...(isActive(note) ? [note] : []));
  if (before && before.folder !== note.folder) {
    moves.departures.push(departureOf(before, note));
  }
};

type StagedVersion = Pick<
  VersionRow,
  'note' | 'isFirst' | 'keyId' | 'connectionId' | 'via' | 'restoredFrom'
>;

/** What a version records besides its fields: of the credential, and what it restores. */
type Origin = Pick<Author, 'keyId' | 'connectionId' | 'via'> & {
  readonly restoredFrom?: number | undefined;
};

const versionOf = (
  note: WritableNote,
  isFirst: boolean,
  { keyId, connectionId, via, restoredFrom }: Origin,
): StagedVersion => ({
  note,
  isFirst,
  keyId: keyId ?? null,
  connectionId: connectionId ?? null,
  via: via ?? null,
  restoredFrom: restoredFrom ?? null,
});

/**
 * The notes of a transaction while its changes are decided in order: each change sees the effect of those
 * before it. Writes nothing; `drainVersions` and `feed` return what is to be written.
 */
export const stageNotes = ({ companyId, feed, notes, purged, at, sharing }: StagingInput) => {
  const now = new Map(notes.map((note) => [note.id, note]));
  const lastOf = new Map(purged.map(({ id, revision }) => [id, revision]));
  const created: NoteId[] = [];
  const texts = trackTexts(sharing);
  const pending: StagedVersion[] = [];
  let versionCount = 0;
  const moves: Moves = { added: [], removed: [], departures: [] };

  const head = (): number => feed.head + versionCount;
  const stampOf = ({ clientId = null, ...author }: StagedAuthor) => ({
    author,
    clientId,
    at,
    changeNo: head() + 1,
  });

  const write = (note: WritableNote, origin: Origin): WritableNote => {
    const before = now.get(note.id) ?? null;
    recordMove(moves, before, note);
    now.set(note.id, note);
    texts.stage(note);
    created.push(...(before === null ? [note.id] : []));
    pending.push(versionOf(note, before === null, origin));
    versionCount += 1;
    return note;
  };

  /** Stages the next version of a note, or its first. */
  const advance = (id: NoteId, next: NextVersion, author: StagedAuthor): WritableNote => {
    const before = now.get(id);
    const stamp = stampOf(author);
    const version = before
      ? nextVersion(before, { ...next, textsFrom: texts.follow(before, next) }, stamp)
      : firstVersion({ id, companyId, conflictOf: null }, firstOf(next, lastOf.get(id)), stamp);
    return write(version, { ...author, restoredFrom: next.restoredFrom });
  };

  /** Stages the losing side of a conflict as a new note; returns its id. */
  const createConflictCopy = (fields: NoteFields, conflictOf: NoteId, author: Author): NoteId => {
    const copy = { id: noteId.parse(newId()), companyId, conflictOf };
    return write(firstVersion(copy, { fields, revision: 1 }, stampOf(author)), author).id;
  };

  return {
    find: (id: NoteId): WritableNote | null => now.get(id) ?? null,
    advance,
    createConflictCopy,
    /** Ids of new notes. */
    created: (): readonly NoteId[] => created,
    /** Removes and yields the versions staged since the last call. Computes their size lazily. */
    drainVersions: () => rowsOf(pending.splice(0), now, texts),
    hasVersions: (): boolean => versionCount > 0,
    /** Notes that were moved, with the folders that they left. */
    departures: (): readonly Departure[] => moves.departures,
    droppedTexts: texts.dropped,
    drainKeptTexts: texts.drainKept,
    /** The feed after all staged versions. */
    feed: (): FeedRow => ({ ...feed, head: head(), ...activeAfter(feed, moves) }),
  };
};

/** A recreated note continues the revisions of its purged predecessor, which are still stored. */
const firstOf = (next: NextVersion, lastRevision = 0) => ({
  fields: fieldsOf(next),
  revision: Math.max(next.revision, lastRevision + 1),
});

const activeAfter = (
  { liveCount, digest }: FeedRow,
  moved: { readonly added: readonly ActiveNote[]; readonly removed: readonly ActiveNote[] },
) => ({
  liveCount: liveCount + moved.added.length - moved.removed.length,
  digest: movedDigest(digest, moved),
});

const fieldsOf = ({ fields }: NextVersion): NoteFields => {
  if (!fields) {
    throw new Error('There is no note to delete');
  }
  return fields;
};

function* rowsOf(
  made: readonly StagedVersion[],
  now: ReadonlyMap<NoteId, WritableNote>,
  texts: TrackedTexts,
): Generator<VersionRow, void> {
  for (const { note, ...staged } of made) {
    const isLast = now.get(note.id) === note;
    const hasText = texts.send(note, isLast);
    yield { note, wireBytes: isLast ? wireBytesOf(note) : 0, isLast, hasText, ...staged };
  }
}

export type StagedNotes = ReturnType<typeof stageNotes>;
