import { listFoldersContract, listTagsContract } from '@commonplace/contracts/notes';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { Deps } from '../deps.ts';
import { afterPrefix } from '../queries/after-prefix.ts';
import { listLabels } from '../queries/labels.ts';

type LabelDeps = Pick<Deps, 'db'>;

const folderCursors = pageCursor('folders', z.string());

/** Lists folders with counts. */
export const listFoldersRoute = (deps: LabelDeps) =>
  defineRoute(listFoldersContract, async ({ query, company, work }) => {
    const after = folderCursors.read(query);
    const { folder = '' } = query;
    const { result: rows, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: (tx) =>
        folder === ''
          ? listLabels(tx, {
              kind: 'folder',
              from: '',
              before: null,
              after,
              limit: query.limit + 1,
            })
          : listSubtree(tx, { folder, after, limit: query.limit + 1 }),
    });
    const { items, nextCursor } = folderCursors.page(query, rows, ({ name }) => name);
    const folders = items.map(({ name, notes }) => ({ folder: name, notes }));
    return reply(200, { items: folders, nextCursor, isComplete });
  });

type Subtree = {
  readonly folder: string;
  readonly after: string | null;
  readonly limit: number;
};

/**
 * A folder, and then its subfolders: in byte order, those lie between the name followed by `/` and by `0`, the
 * next byte. Folders such as `a-b` lie between `a` and `a/`.
 */
const listSubtree = async (
  tx: Parameters<typeof listLabels>[0],
  { folder, after, limit }: Subtree,
) => {
  const kind = 'folder';
  const page = { kind, after, limit } as const;
  const [itself, below] = await Promise.all([
    listLabels(tx, { ...page, from: folder, before: `${folder}\u0001` }),
    listLabels(tx, { ...page, from: `${folder}/`, before: `${folder}0` }),
  ]);
  return [...itself.filter(({ name }) => name === folder), ...below].slice(0, limit);
};

const tagCursors = pageCursor('tags', z.string());

/** Lists tags with counts. */
export const listTagsRoute = (deps: LabelDeps) =>
  defineRoute(listTagsContract, async ({ query, company, work }) => {
    const after = tagCursors.read(query);
    const { prefix = '' } = query;
    const { result: rows, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: (tx) =>
        listLabels(tx, {
          kind: 'tag',
          from: prefix,
          before: prefix === '' ? null : afterPrefix(prefix),
          after,
          limit: query.limit + 1,
        }),
    });
    const { items, nextCursor } = tagCursors.page(query, rows, ({ name }) => name);
    const tags = items.map(({ name, notes }) => ({ tag: name, notes }));
    return reply(200, { items: tags, nextCursor, isComplete });
  });
