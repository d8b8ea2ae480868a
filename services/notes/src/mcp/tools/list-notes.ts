import {
  listFoldersContract,
  listNotesContract,
  listTagsContract,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { folderName, longCursorText, tagNames } from '../argument-schemas.ts';
import { assertOnly } from '../assert-only.ts';
import { defineTool } from '../define-tool.ts';
import { fitted, moreLine, noteLine, oneLine } from '../format.ts';
import type { McpSession } from '../mcp-session.ts';
import { texts } from '../tool-result.ts';

const treeMax = '150';

export const listNotes = defineTool({
  name: 'list_notes',
  description:
    'List notes, newest change first, archived ones included; with tree: the folders and tags, with counts.',
  contract: listNotesContract,
  effect: 'reads',
  input: z.strictObject({
    folder: folderName.optional().describe('This folder and those below'),
    tags: tagNames.optional().describe('All of these'),
    tree: z.boolean().optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    sort: z.enum(['updatedAt', 'createdAt', 'title']).optional(),
    limit: z.int().min(1).max(100).optional().describe('Default 50'),
    cursor: longCursorText.optional(),
  }),
  aliases: { tag: 'tags', path: 'folder', directory: 'folder' },
  run: async (session, { tree, ...args }) => {
    if (tree !== true) {
      return texts(await list(session, args));
    }
    assertOnly(args, ['folder'], 'tree');
    return texts(await describeTree(session, args.folder));
  },
});

type Listing = {
  readonly folder?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly pinned?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly sort?: 'updatedAt' | 'createdAt' | 'title' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

const list = async ({ call }: McpSession, args: Listing): Promise<string> => {
  const { folder, tags, pinned, archived, sort, limit = 50, cursor } = args;
  const { items, nextCursor } = bodyOf<typeof listNotesContract>(
    await call(listNotesContract, {
      query: {
        folder,
        tag: tags === undefined ? undefined : [...tags],
        pinned: flag(pinned),
        archived: flag(archived),
        ...(sort === undefined ? {} : { sort, order: sort === 'title' ? 'asc' : 'desc' }),
        limit: String(limit),
        cursor,
      },
    }),
  );
  return items.length === 0
    ? 'No notes.'
    : fitted((bytesMax) =>
        [...items.map((item) => noteLine(item, bytesMax)), ...moreLine(nextCursor)].join('\n'),
      );
};

const flag = (value: boolean | undefined) =>
  value === undefined ? undefined : value ? 'true' : 'false';

const describeTree = async ({ call }: McpSession, folder?: string): Promise<string> => {
  const [folders, tags] = await Promise.all([
    call(listFoldersContract, { query: { limit: treeMax, folder } }),
    // Tags are counted in the whole company, and would not be those of the folder.
    folder === undefined ? call(listTagsContract, { query: { limit: treeMax } }) : null,
  ]);
  const ofFolders = bodyOf<typeof listFoldersContract>(folders);
  const ofTags = tags && bodyOf<typeof listTagsContract>(tags);
  const isComplete = ofFolders.isComplete && (ofTags?.isComplete ?? true);
  return fitted((bytesMax) =>
    [
      'Folders, with the notes directly in them:',
      ...ofFolders.items.map(
        (item) => `${oneLine(item.folder, bytesMax) || '(root)'} (${item.notes})`,
      ),
      ...restLine(ofFolders, 'folders; name a folder'),
      ...(ofTags ? tagLines(ofTags, bytesMax) : []),
      ...(isComplete ? [] : ['Not complete yet: notes are still being added.']),
    ].join('\n'),
  );
};

const tagLines = (
  { items, nextCursor }: ReturnType<typeof bodyOf<typeof listTagsContract>>,
  bytesMax: number,
): string[] => [
  'Tags:',
  ...items.map((item) => `#${oneLine(item.tag, bytesMax)} (${item.notes})`),
  ...restLine({ nextCursor }, 'tags; search_notes finds by tag'),
];

const restLine = (page: { readonly nextCursor: string | null }, what: string): string[] =>
  page.nextCursor === null ? [] : [`… more ${what}`];
