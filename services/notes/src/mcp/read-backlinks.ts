import type { NoteId } from '@commonplace/contracts/core';
import { listNoteLinksContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { oneLine } from './format.ts';
import type { McpSession } from './mcp-session.ts';

/** Notes that are named; of more it is said that there are more. */
const backlinksMax = 20;

/** The bytes of a title that are shown. */
const titleBytesMax = 120;

/** The notes that link to a note, as lines. */
export const readBacklinks = async ({ call }: McpSession, id: NoteId): Promise<string[]> => {
  const { backlinks, isComplete } = bodyOf<typeof listNoteLinksContract>(
    await call(listNoteLinksContract, {
      params: { id },
      query: { limit: String(backlinksMax + 1) },
    }),
  );
  const named = backlinks
    .slice(0, backlinksMax)
    .map(({ id: from, title }) => `${oneLine(title, titleBytesMax) || 'Untitled'} (${from})`);
  const rest = [
    ...(backlinks.length > backlinksMax ? ['and more'] : []),
    ...(isComplete ? [] : ['not complete yet']),
  ];
  return [`linked from: ${[...named, ...rest].join(', ') || 'no note'}`];
};
