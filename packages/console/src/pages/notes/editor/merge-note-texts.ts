import { mergeTags, type NoteText } from '../note-text.ts';
import { mergeInWorker } from './merge-in-worker.ts';

type Versions = { readonly base: NoteText; readonly mine: NoteText; readonly theirs: NoteText };

/** Merges my changes of a note with theirs; null if both changed the same in different ways. Throws a `WorkerError`. */
export const mergeNoteTexts = async (
  { base, mine, theirs }: Versions,
  signal: AbortSignal,
): Promise<NoteText | null> => {
  const title = pick(base.title, mine.title, theirs.title);
  const folder = pick(base.folder, mine.folder, theirs.folder);
  if (title === null || folder === null) {
    return null;
  }
  const content =
    pick(base.content, mine.content, theirs.content) ??
    (await mergeInWorker({
      // The saved version comes first, as on the server.
      input: { base: base.content, ours: theirs.content, theirs: mine.content },
      signal,
    }));
  return content === null
    ? null
    : {
        title,
        folder,
        content,
        tags: mergeTags(base.tags, mine.tags, theirs.tags),
        pinned: mine.pinned === base.pinned ? theirs.pinned : mine.pinned,
        archived: mine.archived === base.archived ? theirs.archived : mine.archived,
      };
};

/** The value of the side that changed it; null if both did, differently. */
const pick = (base: string, mine: string, theirs: string): string | null => {
  if (mine === base || mine === theirs) {
    return theirs;
  }
  return theirs === base ? mine : null;
};
