import type { ApiClient, Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { integerMax, jsonFlag, wholeNumber } from '../flags.ts';
import { resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

type Blame = Schema<'NoteBlame'>;
type Range = Schema<'BlameRange'>;

/** `commonplace notes blame`: who wrote which lines of a note. */
export const notesBlame = defineCommand({
  name: 'notes blame',
  usage: '<note> [options]',
  about: `Prints the lines of a note with the version that brought each, its day and its author.
A ^ marks lines that are as old as that version or older. At most 1,000 lines at once.
<note> is an id, folder/title, or a title that only one note has.`,
  positionals: { min: 1, max: 1 },
  flags: {
    'from-line': { type: 'string', value: '<n>', about: 'begin at this line, from 1' },
    'to-line': { type: 'string', value: '<n>', about: 'end with this line' },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    const bounds = { min: 1, max: integerMax };
    const fromLine = wholeNumber('from-line', values['from-line'], bounds);
    const toLine = wholeNumber('to-line', values['to-line'], bounds);
    if (fromLine !== undefined && toLine !== undefined && toLine < fromLine) {
      throw new UsageError(['--to-line comes before --from-line']);
    }
    const api = openApi();
    const id = await resolveNote(api, name);
    const { data: blame } = await api.get('/api/notes/{id}/blame', {
      params: {
        path: { id },
        query: { ...(fromLine && { fromLine }), ...(toLine && { toLine }) },
      },
    });
    if (values.json) {
      printJson(blame);
      return 0;
    }
    const lines = await readLines(api, blame);
    blame.ranges.flatMap((range) => rangeLines(range, lines)).forEach(printText);
    const last = blame.ranges.at(-1)?.toLine ?? 0;
    if (toLine === undefined && last > 0 && last < blame.lines) {
      printNotice(`${blame.lines} lines; the rest begins with --from-line ${last + 1}`);
    }
    return 0;
  },
});

/** The lines of the version that the blame is of: the note may have changed since. */
const readLines = async (
  api: ApiClient,
  { noteId: id, revision }: Blame,
): Promise<readonly string[]> => {
  const { data } = await api.get('/api/notes/{id}/revisions/{revision}', {
    params: { path: { id, revision } },
  });
  return data.content.split('\n');
};

const rangeLines = (range: Range, lines: readonly string[]): string[] => {
  const { fromLine, toLine, revision, at, author, atOrBefore } = range;
  const version = `${atOrBefore ? '^' : ''}${revision}`.padStart(5);
  const origin = `${version}  ${at.slice(0, 10)}  ${author.name ?? author.id}`;
  return lines
    .slice(fromLine - 1, toLine)
    .map((line, index) => `${paint('dim', `${origin}  ${fromLine + index}:`)} ${line}`);
};
