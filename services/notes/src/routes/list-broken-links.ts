import { noteId } from '@commonplace/contracts/core';
import { listBrokenLinksContract } from '@commonplace/contracts/notes';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { Deps } from '../deps.ts';
import { presentBrokenLink } from '../present/present-links.ts';
import { findEndOfLinks, listBrokenLinks } from '../queries/broken-links.ts';

const cursors = pageCursor('broken links', z.object({ noteId, place: z.int() }));

/** Lists the links that lead to no note. A page examines a bounded number of links, so it may be short. */
export const listBrokenLinksRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(listBrokenLinksContract, async ({ query, company, work }) => {
    const after = cursors.read(query);
    const { limit, folder = '' } = query;
    const { result, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: async (tx) => {
        const end = await findEndOfLinks(tx, after);
        const page = { after, until: end, folder, limit: limit + 1 };
        return { end, rows: await listBrokenLinks(tx, page) };
      },
    });
    const { items, nextCursor } = cursors.page(query, result.rows, ({ noteId: id, place }) => ({
      noteId: id,
      place,
    }));
    const afterAll = result.end && cursors.write(query, result.end);
    return reply(200, {
      items: items.map(presentBrokenLink),
      nextCursor: nextCursor ?? afterAll,
      isComplete,
    });
  });
