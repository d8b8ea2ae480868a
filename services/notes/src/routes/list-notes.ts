import { noteId } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { lookupInCompany, withCompany, withCompanyInIndexOrder } from '@commonplace/db';
import { defineRoute, matchesEtag, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { addExcerpts } from '../search/add-excerpts.ts';
import { listNotePage, usesIndexOrder, listEtag } from '../search/list-notes.ts';
import type { Deps } from '../deps.ts';
import { presentListedNote } from '../present/present-note.ts';
import { excerptBytesMax } from '../queries/excerpt-texts.ts';
import { findFeed } from '../queries/feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';

/**
 * The position where a page ended. Cursors are bound to the query and so to its order: a position of another
 * type can only be forged, and PostgreSQL rejects it (400).
 */
const cursors = pageCursor('notes', z.tuple([z.union([z.string(), z.number()]), noteId]));

/** Lists and searches notes. The ETag depends on the feed only, so 304 costs one lookup. */
export const listNotesRoute = ({
  db,
  search: { indexPendingNotes },
  limitHeavyWork,
  reserveBytes,
}: Pick<Deps, 'db' | 'search' | 'limitHeavyWork' | 'reserveBytes'>) =>
  defineRoute(listNotesContract, async ({ query, company, header, stillAllowed }) => {
    const after = cursors.read(query);
    const feed = await lookupInCompany(db, company.id, findFeed);
    const headers = {
      ETag: listEtag(company.id, feed, query),
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie, X-Company-Id',
    };
    if (matchesEtag(header('If-None-Match'), headers.ETag)) {
      return { status: 304 as const, headers };
    }
    // One extra row shows whether there is a next page.
    const listing = { ...query, after, limit: query.limit + 1 };
    const inOrder = usesIndexOrder(query) ? withCompanyInIndexOrder : withCompany;
    const browse = () => inOrder(db, company.id, (tx) => listNotePage(tx, listing));
    const search = async () => {
      const isRebuilding = await indexPendingNotes(company.id);
      return withCompany(db, company.id, async (tx) => {
        const page = await listNotePage(tx, { ...listing, isRebuilding });
        const { rows, found } = page;
        return found ? { ...page, rows: await addExcerpts(tx, rows, found) } : page;
      });
    };
    const isSearch = query.q !== undefined;
    const read = isSearch ? search : browse;
    const isFull = query.view === 'full';
    const readAfterWait = async () => {
      await stillAllowed();
      return read();
    };
    const heldBytes = (isFull ? 2 * pageBytesMax : 0) + (isSearch ? excerptBytesMax : 0);
    const isHeavy = heldBytes > 0;
    const work = isHeavy ? () => reserveBytes(heldBytes, readAfterWait) : readAfterWait;
    const { rows, positionOf } = await (isHeavy ? limitHeavyWork(company.id, work) : read());
    const fitting = rows.filter((row) => row.bytesBefore < pageBytesMax).length;
    const pageQuery = { ...query, limit: Math.min(query.limit, fitting) };
    const { items, nextCursor } = cursors.page(pageQuery, rows, positionOf);
    return reply(200, { items: items.map(presentListedNote), nextCursor }, headers);
  });
