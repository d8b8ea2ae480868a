import { noteId } from '@commonplace/contracts/core';
import { listNoteLinksContract } from '@commonplace/contracts/notes';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { readCatalog } from '../catalog/read-catalog.ts';
import type { Deps } from '../deps.ts';
import { presentBacklink, presentLink } from '../present/present-links.ts';
import { listBacklinks, listLinks } from '../queries/links.ts';
import { findNoteUpTo } from '../queries/notes.ts';
import { assertActive } from '../rules/note-state.ts';
import { snippetAround } from '../rules/snippet.ts';
import { linkedTitle } from '../rules/linked-title.ts';

/** Where the page ended in each list; null: at its end. */
const position = z.object({ link: z.int().nullable(), backlink: noteId.nullable() });

/** Lists the links of a note and the notes that link to it. */
export const listNoteLinksRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(listNoteLinksContract, async ({ params, query, company, work }) => {
    const { id } = params;
    const cursor = pageCursor(`links ${id}`, position);
    const after = cursor.read(query);
    const limit = query.limit + 1;
    const { result, isComplete } = await readCatalog(deps, {
      reach: company.reach,
      work,
      query: async (tx) => {
        const { title } = assertActive(await findNoteUpTo(tx, id, 0));
        const backlinkPage = { id, linkedTitle: linkedTitle(title), limit };
        const [links, backlinks] = await Promise.all([
          after?.link === null ? [] : listLinks(tx, { id, after: after?.link ?? -1, limit }),
          after && after.backlink === null
            ? []
            : listBacklinks(tx, { ...backlinkPage, after: after?.backlink ?? null }),
        ]);
        return { links, backlinks };
      },
    });
    const links = result.links.slice(0, query.limit);
    const backlinks = result.backlinks.slice(0, query.limit);
    const next = {
      link: result.links.length > query.limit ? (links.at(-1)?.place ?? null) : null,
      backlink: result.backlinks.length > query.limit ? (backlinks.at(-1)?.id ?? null) : null,
    };
    const isLastPage = next.link === null && next.backlink === null;
    return reply(200, {
      links: links.map(presentLink),
      backlinks: backlinks.map((row) =>
        presentBacklink({ ...row, snippet: snippetAround(row.text, row.isCut) }),
      ),
      nextCursor: isLastPage ? null : cursor.write(query, next),
      isComplete,
    });
  });
