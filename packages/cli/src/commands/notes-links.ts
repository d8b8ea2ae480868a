import type { Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { jsonFlag } from '../flags.ts';
import { resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printText } from '../print.ts';

type Links = Pick<Schema<'NoteLinks'>, 'links' | 'backlinks'>;

/** `commonplace notes links`: the links of a note, and the notes that link to it. */
export const notesLinks = defineCommand({
  name: 'notes links',
  usage: '<note> [options]',
  about: `Prints the links of a note (->) and the notes that link to it (<-), with their ids.
<note> is an id, folder/title, or a title that only one note has.`,
  positionals: { min: 1, max: 1 },
  flags: jsonFlag,
  run: async ({ values, positionals: [name = ''] }) => {
    const api = openApi();
    const id = await resolveNote(api, name);
    const all: Links = { links: [], backlinks: [] };
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = { limit: 100, ...(cursor && { cursor }) };
      const { data } = await api.get('/api/notes/{id}/links', { params: { path: { id }, query } });
      all.links.push(...data.links);
      all.backlinks.push(...data.backlinks);
      cursor = data.nextCursor;
    } while (cursor !== null);
    if (values.json) {
      printJson(all);
    } else {
      describeLinks(all).forEach(printText);
    }
    return 0;
  },
});

const describeLinks = ({ links, backlinks }: Links): string[] => [
  ...links.map(
    ({ title, target }) =>
      `-> ${paint('bold', title)}  ${target === null ? paint('red', 'no such note') : paint('dim', target)}`,
  ),
  ...backlinks.map(
    ({ title, id, snippet }) => `<- ${paint('bold', title)}  ${paint('dim', id)}  ${snippet}`,
  ),
];
