import type { ApiClient } from '../api-client.ts';
import { formatListing } from './format-listing.ts';
import type { CommandOf } from './memory-command.ts';
import { findFile, listDirectory } from './memory-notes.ts';
import type { MemoryPlace } from './memory-place.ts';
import { MemoryToolError } from './memory-tool-error.ts';
import { linesOf, numberedLines } from './numbered-lines.ts';

/** Those that were written last. A model that needs more looks into a directory. */
const listedNotesMax = 1_000;

/** `view`: the lines of a file with their numbers, or a listing of a directory. */
export const viewMemory = async (
  api: ApiClient,
  place: MemoryPlace,
  { view_range: range }: Pick<CommandOf<'view'>, 'view_range'>,
): Promise<string> => {
  const note = await findFile(api, place);
  if (note) {
    const lines = linesOf(note.content);
    const [first = 1, last = -1] = range ?? [];
    const shown = { first: Math.max(1, first), last: last === -1 ? lines.length : last };
    const header = `Here's the content of ${place.path} with line numbers:`;
    return `${header}\n${numberedLines(lines, shown)}`;
  }
  const notes = await listDirectory(api, place.directory, listedNotesMax + 1);
  if (notes.length === 0 && place.file !== null) {
    throw new MemoryToolError(
      `The path ${place.path} does not exist. Please provide a valid path.`,
    );
  }
  const listing = formatListing(place, notes.slice(0, listedNotesMax));
  return notes.length > listedNotesMax
    ? `${listing}\n(Only the ${listedNotesMax} files written last are listed. View a directory to list those in it.)`
    : listing;
};
