import { hashOfText } from './folder-state.ts';
import type { Folder } from './folder.ts';

/**
 * Finds conflict copies that have no file yet while the note's file still contains their text: that file
 * is the only one with this side of the conflict. Returns the ids of the copies by those of their notes.
 */
export const findOnlyCopies = (
  { client, state }: Pick<Folder, 'client' | 'state'>,
  ids: Iterable<string>,
  pathOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const copies = new Map<string, string>();
  for (const id of ids) {
    const copy = client.find(id);
    const noteId = copy?.conflictOf ?? null;
    if (copy && noteId !== null && !pathOf.has(id)) {
      const textHash = state.files.get(pathOf.get(noteId) ?? '')?.textHash;
      const note = client.find(noteId);
      if (textHash === hashOfText(copy.text) && (!note || textHash !== hashOfText(note.text))) {
        copies.set(noteId, id);
      }
    }
  }
  return copies;
};
