import { hashOfText } from './folder-state.ts';
import type { Folder } from './folder.ts';

/**
 * Conflicts whose copy has no file yet, while the note's file still says what the copy does, and the note
 * does not any more: that file is the only one with this side. Gives the copies by the ids of their notes.
 */
export const findSoleSides = (
  { client, state }: Pick<Folder, 'client' | 'state'>,
  ids: Iterable<string>,
  pathOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const copies = new Map<string, string>();
  for (const id of ids) {
    const copy = client.find(id);
    const noteId = copy?.conflictOf ?? null;
    if (copy && noteId !== null && !pathOf.has(id)) {
      const said = state.files.get(pathOf.get(noteId) ?? '')?.textHash;
      const note = client.find(noteId);
      if (said === hashOfText(copy.text) && (!note || said !== hashOfText(note.text))) {
        copies.set(noteId, id);
      }
    }
  }
  return copies;
};
