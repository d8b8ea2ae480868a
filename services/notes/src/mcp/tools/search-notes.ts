import { noteId, plainText } from '@commonplace/contracts/core';
import { listNotesContract, readNotesContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { folderName, longCursorText, tagNames } from '../argument-schemas.ts';
import { defineTool } from '../define-tool.ts';
import { fitted, moreLine, noteLine, oneLine } from '../format.ts';
import { matchingLines } from '../matching-lines.ts';
import { texts } from '../tool-result.ts';

/** Text of the found notes that is looked at for lines; of the others only an excerpt is shown. */
const contentBytesMax = 1024 * 1024;

export const searchNotes = defineTool({
  name: 'search_notes',
  description:
    'Find notes by words in title, tags, folder and text, best first, with the matching lines and their numbers. Syntax: words, "a phrase", -without, or.',
  contract: listNotesContract,
  effect: 'reads',
  input: z.strictObject({
    query: plainText(1, 500),
    folder: folderName.optional().describe('This folder and those below'),
    tags: tagNames.optional().describe('All of these'),
    limit: z.int().min(1).max(30).default(10),
    cursor: longCursorText.optional().describe('For the next page'),
  }),
  aliases: { q: 'query', text: 'query', search: 'query', tag: 'tags', max_results: 'limit' },
  run: async ({ call }, { query: q, folder, tags, limit, cursor }) => {
    const { items, nextCursor } = bodyOf<typeof listNotesContract>(
      await call(listNotesContract, {
        query: { q, limit: String(limit), tag: tags, folder, cursor },
      }),
    );
    if (items.length === 0) {
      return texts(`No note matches. list_notes shows what there is.`);
    }
    const { notes } = bodyOf<typeof readNotesContract>(
      await call(readNotesContract, {
        body: { ids: items.map(({ id }) => noteId.parse(id)), maxBytes: contentBytesMax },
      }),
    );
    const contents = new Map<string, string>(notes.map(({ id, content }) => [id, content]));
    const foundLines = (item: (typeof items)[number], bytesMax: number): string[] => {
      const matched = { content: contents.get(item.id), excerpt: item.excerpt ?? '' };
      const lines = matchingLines(matched, bytesMax);
      return [noteLine(item, bytesMax), ...lines.map((line) => `  ${oneLine(line, bytesMax)}`)];
    };
    return texts(
      fitted((bytesMax) =>
        [...items.flatMap((item) => foundLines(item, bytesMax)), ...moreLine(nextCursor)].join(
          '\n',
        ),
      ),
    );
  },
});
