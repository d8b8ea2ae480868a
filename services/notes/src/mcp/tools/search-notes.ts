import { AppError, plainText } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { folderName, longCursorText, tagNames } from '../argument-schemas.ts';
import { defineTool } from '../define-tool.ts';
import { fitted, moreLine, noteLine } from '../format.ts';
import { markedWords, passageLine } from '../passage-line.ts';
import { texts } from '../tool-result.ts';

const stillIndexed =
  'Notes may be missing: some are still being indexed. Search again in a minute.';

const time = (description: string) => z.string().max(40).optional().describe(description);

export const searchNotes = defineTool({
  name: 'search_notes',
  description:
    'Find notes by a question or words, best first, with the matching passages and their lines. Any word may match, if switched on the meaning; "a phrase" and -without bind.',
  contract: listNotesContract,
  effect: 'reads',
  input: z.strictObject({
    query: plainText(1, 500),
    folder: folderName.optional().describe('This folder and those below'),
    tags: tagNames.optional().describe('All of these'),
    since: time('Changed since: 2026-01-31 or with time'),
    until: time('Changed until'),
    limit: z.int().min(1).max(30).default(10),
    cursor: longCursorText.optional().describe('For the next page'),
  }),
  aliases: { q: 'query', text: 'query', search: 'query', tag: 'tags', max_results: 'limit' },
  run: async ({ call }, { query: q, folder, tags, limit, cursor, since, until }) => {
    const { items, nextCursor, isComplete } = bodyOf<typeof listNotesContract>(
      await call(listNotesContract, {
        query: {
          q,
          match: 'best',
          limit: String(limit),
          tag: tags,
          folder,
          cursor,
          updatedSince: since && timeOf('since', since, '00:00:00.000Z'),
          updatedUntil: until && timeOf('until', until, '23:59:59.999Z'),
        },
      }),
    );
    const incomplete = isComplete === false ? [stillIndexed] : [];
    if (items.length === 0) {
      return texts(['No note matches. list_notes shows what there is.', ...incomplete].join('\n'));
    }
    const foundLines = (item: (typeof items)[number], bytesMax: number): string[] => {
      const words = markedWords(item.excerpt ?? '');
      const passages = item.passages ?? [];
      return [
        noteLine(item, bytesMax),
        ...passages.map((one) => `  ${passageLine(one, words, bytesMax)}`),
      ];
    };
    return texts(
      fitted((bytesMax) =>
        [
          ...items.flatMap((item) => foundLines(item, bytesMax)),
          ...moreLine(nextCursor),
          ...incomplete,
        ].join('\n'),
      ),
    );
  },
});

/** A day begins or ends at this time; seconds get the milliseconds that the API has. */
const timeOf = (name: string, text: string, ofDay: string): string => {
  const [, day, time, fraction = '.000'] = timePattern.exec(text) ?? [];
  const whole = time === undefined ? `${day}T${ofDay}` : `${day}T${time}${fraction}Z`;
  if (Number.isNaN(Date.parse(whole))) {
    throw new AppError(
      'validation_failed',
      `${name} must be a day or a time in UTC, as 2026-01-31 or 2026-01-31T09:30:00Z.`,
    );
  }
  return whole;
};

const timePattern = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(\.\d{3})?Z)?$/;
