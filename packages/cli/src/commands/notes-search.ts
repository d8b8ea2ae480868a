import { defineCommand } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag, wholeNumber } from '../flags.ts';
import { authorFlag, authorQuery } from '../notes/author-query.ts';
import { folderName } from '../notes/folder-name.ts';
import { listNotes } from '../notes/list-pages.ts';
import { pathOf } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

/** `commonplace notes search`: full-text search. */
export const notesSearch = defineCommand({
  name: 'notes search',
  usage: '<query> [options]',
  about: `Finds notes, the best match first, with the part of the content that matches.
The query may be a question: notes with any of its words are found, those with all of them first. "a phrase"
and -excluded bind. Several arguments are one query.`,
  positionals: { min: 1, max: Number.MAX_SAFE_INTEGER },
  flags: {
    folder: { type: 'string', value: '<folder>', about: 'only in this folder and below it' },
    tag: { type: 'string', multiple: true, value: '<tag>', about: 'with this tag; may repeat' },
    ...authorFlag,
    limit: { type: 'string', short: 'n', value: '<n>', about: 'at most this many; default 20' },
    'all-words': {
      type: 'boolean',
      about: 'only notes with all of the words; or is an alternative',
    },
    ...jsonFlag,
  },
  footer: 'The exit code is 3 if nothing is found. A query that begins with - follows --.',
  run: async ({ values, positionals }) => {
    const limit = wholeNumber('limit', values.limit, { min: 1, max: 10_000 }) ?? 20;
    const api = openApi();
    const query = {
      q: positionals.join(' '),
      match: values['all-words'] ? ('words' as const) : ('best' as const),
      ...(values.folder !== undefined && { folder: folderName(values.folder) }),
      ...(values.tag && { tag: values.tag }),
      ...(await authorQuery(api, values.author)),
    };
    const listed = await listNotes(api, query, limit);
    // Where no note has all words, the API shows those with any.
    const isOther = values['all-words'] === true && listed.matched === 'any';
    const found = isOther ? { ...listed, items: [], hasMore: false } : listed;
    if (values.json) {
      printJson(found);
    } else {
      for (const note of found.items) {
        printText(`${paint('bold', pathOf(note))}  ${paint('dim', note.id)}`);
        printText(`  ${highlight(note.excerpt ?? note.snippet)}`);
      }
      if (found.hasMore) {
        printNotice(`there are more notes than these ${limit}: raise --limit`);
      }
    }
    if (found.isComplete === false) {
      printNotice('notes are still being indexed, so some may be missing: search again later');
    }
    return found.items.length === 0 ? exitCodes.notFound : 0;
  },
});

/** Shows matched words in colour; without colours the marks of the API stay. */
const highlight = (excerpt: string): string =>
  excerpt.replaceAll(/⟦(.*?)⟧/g, (marked, word: string) => {
    const painted = paint(['bold', 'yellow'], word);
    return painted === word ? marked : painted;
  });
