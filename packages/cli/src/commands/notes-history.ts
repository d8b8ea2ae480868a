import type { ApiClient, Schema } from '@commonplace/client';
import { collectPages } from '../collect-pages.ts';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { integerMax, jsonFlag, wholeNumber } from '../flags.ts';
import { nameAuthors } from '../notes/name-authors.ts';
import { printDiffs } from '../notes/print-diffs.ts';
import { pathOf, resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

type Version = Schema<'NoteRevisionSummary'>;

/** The most that one request returns. */
const pageItemsMax = 200;

/** `commonplace notes history`: the versions of a note, or how two of them differ. */
export const notesHistory = defineCommand({
  name: 'notes history',
  usage: '<note> [options]',
  about: `Lists the versions of a note, newest first: revision, time, author, folder/title.
With --from: how the note differs from that version. <note> is an id, folder/title, or a
title that only one note has; a deleted note is named by its id.`,
  positionals: { min: 1, max: 1 },
  flags: {
    from: { type: 'string', value: '<revision>', about: 'print what changed since this version' },
    to: { type: 'string', value: '<revision>', about: 'until this one; default: the present one' },
    limit: { type: 'string', short: 'n', value: '<n>', about: 'at most this many; default 20' },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    const bounds = { min: 1, max: integerMax };
    const from = wholeNumber('from', values.from, bounds);
    const to = wholeNumber('to', values.to, bounds);
    const limit = wholeNumber('limit', values.limit, { min: 1, max: 10_000 });
    if (from === undefined && to !== undefined) {
      throw new UsageError(['--to needs --from']);
    }
    if (from !== undefined && limit !== undefined) {
      throw new UsageError(['--limit is for the list of versions, without --from']);
    }
    const api = openApi();
    const id = await resolveNote(api, name);
    const isJson = values.json === true;
    await (from === undefined
      ? printVersions(api, { id, limit: limit ?? 20, isJson })
      : printChanges(api, { id, from, to, isJson }));
    return 0;
  },
});

type Comparison = {
  readonly id: string;
  readonly from: number;
  readonly to: number | undefined;
  readonly isJson: boolean;
};

const printChanges = async (
  api: ApiClient,
  { id, from, to, isJson }: Comparison,
): Promise<void> => {
  const query = { from, ...(to !== undefined && { to }) };
  const { data } = await api.get('/api/notes/{id}/diff', { params: { path: { id }, query } });
  if (isJson) {
    printJson(data);
    return;
  }
  printDiffs(data.fields);
};

type Listing = { readonly id: string; readonly limit: number; readonly isJson: boolean };

const printVersions = async (api: ApiClient, { id, limit, isJson }: Listing): Promise<void> => {
  const { items, hasMore } = await collectPages<Version>(
    async (query) =>
      (await api.get('/api/notes/{id}/revisions', { params: { path: { id }, query } })).data,
    { limit, pageItemsMax },
  );
  if (isJson) {
    printJson({ items, hasMore });
    return;
  }
  const nameOf = await nameAuthors(
    api,
    items.map(({ createdBy }) => createdBy),
  );
  items.map((version) => versionLine(version, nameOf(version.createdBy))).forEach(printText);
  if (hasMore) {
    printNotice(`there are more versions than these ${limit}: raise --limit`);
  }
};

const versionLine = (version: Version, author: string): string => {
  const { revision, createdAt, deleted, noteId: id, folder, title } = version;
  const { restoredFrom, proposal, undoes } = version;
  return [
    `${String(revision).padStart(4)}  ${createdAt.slice(0, 16).replace('T', ' ')}`,
    author,
    paint('bold', pathOf({ folder, title, id })),
    ...(deleted ? [paint('red', 'deleted')] : []),
    ...(restoredFrom === undefined ? [] : [`restored from ${restoredFrom}`]),
    ...(proposal ? ['accepted proposal'] : []),
    ...(undoes ? [`takes back ${undoes.revisions.join(', ')}`] : []),
  ].join('  ');
};
