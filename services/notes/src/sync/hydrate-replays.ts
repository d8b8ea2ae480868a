import type { Reach } from '@commonplace/contracts/core';
import { inIndexOrder, read, type Db } from '@commonplace/db';
import { pageBytesMax } from '../queries/note-rows.ts';
import { listNotesById } from '../queries/notes.ts';
import type { VersionName } from '../queries/version-texts.ts';
import { listVersions } from '../queries/versions.ts';
import { noteAsOf } from '../read/note-as-of.ts';
import { includesNote, type PushedChange } from './build-results.ts';

/**
 * Reads the notes that the response includes and the write did not read: notes of replays as in the first
 * response, and large notes. Leaves out purged versions, and content beyond a page.
 */
export const hydrateReplays = async (
  db: Db,
  reach: Reach,
  pushed: readonly PushedChange[],
): Promise<readonly PushedChange[]> => {
  const names = pushed.flatMap(versionsToLoad);
  if (names.length === 0) {
    return pushed;
  }
  const versions = await read(db, inIndexOrder(reach), (tx) =>
    listVersions(tx, names, pageBytesMax),
  );
  const replayed = pushed.filter(isReplayWithoutNote).map(({ change }) => change.id);
  const notes =
    replayed.length === 0
      ? []
      : await read(db, inIndexOrder(reach), (tx) => listNotesById(tx, replayed));
  const noteOf = new Map(notes.map((note) => [note.id, note]));
  const versionOf = new Map(versions.map((row) => [`${row.noteId}:${row.revision}`, row]));
  return pushed.map((entry) => {
    const [name] = versionsToLoad(entry);
    const note = name && (entry.outcome.note ?? noteOf.get(name.id));
    const version = name && versionOf.get(`${name.id}:${name.revision}`);
    return note && version && version.content !== null
      ? { ...entry, outcome: { ...entry.outcome, note: noteAsOf(note, version, version.content) } }
      : entry;
  });
};

const isReplayWithoutNote = ({ outcome }: PushedChange): boolean =>
  outcome.isReplay && outcome.note === null;

const versionsToLoad = (pushed: PushedChange): VersionName[] => {
  const { change, outcome } = pushed;
  const { revision, note } = outcome;
  const isMissing = note ? note.content === null : outcome.isReplay;
  return isMissing && revision !== null && includesNote(pushed)
    ? [{ id: change.id, revision }]
    : [];
};
