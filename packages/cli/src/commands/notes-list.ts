import { UsageError } from '../errors.ts';
import { defineCommand } from '../define-command.ts';
import { instant, jsonFlag, wholeNumber } from '../flags.ts';
import { authorFlag, authorQuery } from '../notes/author-query.ts';
import { folderName } from '../notes/folder-name.ts';
import { listNotes, type ListQuery } from '../notes/list-pages.ts';
import { pathOf } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

/** `commonplace notes list`: lists notes. */
export const notesList = defineCommand({
  name: 'notes list',
  usage: '[folder] [options]',
  about: 'Lists notes, the last changed first: id, time of the change, folder/title, tags.',
  positionals: { min: 0, max: 1 },
  flags: {
    tag: { type: 'string', multiple: true, value: '<tag>', about: 'with this tag; may repeat' },
    pinned: { type: 'boolean', about: 'only pinned notes' },
    archived: { type: 'boolean', about: 'only archived notes' },
    ...authorFlag,
    since: { type: 'string', value: '<time>', about: 'changed since then: 2026-11-23T08:00:00Z' },
    sort: {
      type: 'string',
      value: '<field>',
      choices: ['updatedAt', 'createdAt', 'title'],
      about: 'updatedAt, createdAt or title',
    },
    limit: { type: 'string', short: 'n', value: '<n>', about: 'at most this many; default 50' },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [folder] }) => {
    const updatedSince = instant('since', values.since);
    const limit = wholeNumber('limit', values.limit, { min: 1, max: 100_000 }) ?? 50;
    const api = openApi();
    const query: ListQuery = {
      ...(folder === undefined ? {} : { folder: folderName(folder) }),
      ...(values.tag && { tag: values.tag }),
      ...(values.pinned && { pinned: true }),
      ...(values.archived && { archived: true }),
      ...(await authorQuery(api, values.author)),
      ...(updatedSince && { updatedSince }),
      ...(values.sort && sorting(values.sort)),
    };
    const listed = await listNotes(api, query, limit);
    if (values.json) {
      printJson(listed);
      return 0;
    }
    for (const note of listed.items) {
      const time = note.updatedAt.slice(0, 16).replace('T', ' ');
      const tags = note.tags.map((tag) => ` #${tag}`).join('');
      printText(
        `${paint('dim', note.id)}  ${time}  ${paint('bold', pathOf(note))}${paint('cyan', tags)}`,
      );
    }
    if (listed.hasMore) {
      printNotice(`there are more notes than these ${limit}: raise --limit`);
    }
    return 0;
  },
});

const sorting = (field: string): Pick<ListQuery, 'sort' | 'order'> => {
  switch (field) {
    case 'title':
      return { sort: field, order: 'asc' };
    case 'updatedAt':
    case 'createdAt':
      return { sort: field };
    default:
      throw new UsageError(['--sort must be updatedAt, createdAt or title']);
  }
};
