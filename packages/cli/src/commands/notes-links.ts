import type { ApiClient, Schema } from '@commonplace/client';
import { collectPages } from '../collect-pages.ts';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { jsonFlag } from '../flags.ts';
import { folderName } from '../notes/folder-name.ts';
import { pathOf, resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

type Links = Pick<Schema<'NoteLinks'>, 'links' | 'backlinks'>;

/** `commonplace notes links`: the links of a note, and the notes that link to it; or all links that lead to none. */
export const notesLinks = defineCommand({
  name: 'notes links',
  usage: '(<note> | --broken) [options]',
  about: `Prints the links of a note (->) and the notes that link to it (<-), with their ids.
<note> is an id, folder/title, or a title that only one note has.
With --broken: the links of all notes that lead to none.`,
  positionals: { min: 0, max: 1 },
  flags: {
    broken: { type: 'boolean', about: 'links that lead to no note' },
    folder: { type: 'string', value: '<folder>', about: 'with --broken: in this folder and below' },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name] }) => {
    const isJson = values.json === true;
    if (values.broken) {
      if (name !== undefined) {
        throw new UsageError([
          '--broken is about all notes: leave out <note>, or choose a --folder',
        ]);
      }
      await printBrokenLinks(openApi(), { folder: values.folder, isJson });
      return 0;
    }
    if (name === undefined || values.folder !== undefined) {
      throw new UsageError([
        name === undefined ? 'a <note> is missing, or --broken' : '--folder needs --broken',
      ]);
    }
    await printLinks(openApi(), { name, isJson });
    return 0;
  },
});

type BrokenLinks = { readonly folder: string | undefined; readonly isJson: boolean };

const printBrokenLinks = async (api: ApiClient, { folder, isJson }: BrokenLinks): Promise<void> => {
  let isComplete = true;
  const { items } = await collectPages(
    async (page) => {
      const query = { ...page, ...(folder && { folder: folderName(folder) }) };
      const { data } = await api.get('/api/notes/broken-links', { params: { query } });
      isComplete &&= data.isComplete;
      return data;
    },
    { limit: Number.POSITIVE_INFINITY, pageItemsMax: 200 },
  );
  if (isJson) {
    // All pages were read.
    printJson({ items, hasMore: false, isComplete });
  } else {
    items.forEach(({ note, title }) =>
      printText(
        `${paint('dim', note.id)}  ${paint('bold', pathOf(note))} -> ${paint('red', title)}`,
      ),
    );
  }
  if (!isComplete) {
    printNotice(
      'notes are still being indexed, so links may be missing or not broken: try again later',
    );
  }
};

type LinksOfNote = { readonly name: string; readonly isJson: boolean };

const printLinks = async (api: ApiClient, { name, isJson }: LinksOfNote): Promise<void> => {
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
  if (isJson) {
    printJson(all);
  } else {
    describeLinks(all).forEach(printText);
  }
};

const describeLinks = ({ links, backlinks }: Links): string[] => [
  ...links.map(
    ({ title, target }) =>
      `-> ${paint('bold', title)}  ${target === null ? paint('red', 'no such note') : paint('dim', target)}`,
  ),
  ...backlinks.map(
    ({ title, id, snippet }) => `<- ${paint('bold', title)}  ${paint('dim', id)}  ${snippet}`,
  ),
];
