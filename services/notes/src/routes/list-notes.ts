import { noteId } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { lookUpInCompany, withCompany, withCompanyInIndexOrder } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { catchUpSearch } from '../commands/catch-up-search.ts';
import { readNoteList } from '../commands/read-note-list.ts';
import type { Deps } from '../deps.ts';
import { isReadInIndexOrder } from '../commands/is-read-in-index-order.ts';
import { hasCurrentCopy } from '../policy/has-current-copy.ts';
import { listTag } from '../policy/list-tag.ts';
import { presentListedNote } from '../present/present-listed-note.ts';
import { findFeed } from '../queries/find-feed.ts';
import { pageBytesMax } from '../queries/listed-note-row.ts';

/**
 * Where a page ended. Cursors are bound to the query, and so to what the list is ordered by: a
 * position of another kind can only be a forged one, and PostgreSQL refuses it (400).
 */
const cursors = pageCursor('notes', z.tuple([z.union([z.string(), z.number()]), noteId]));

/** Browses and searches notes. The feed's row alone tells whether a list has changed. */
export const listNotesRoute = ({
  db,
  takeTurn,
  holdBytes,
}: Pick<Deps, 'db' | 'takeTurn' | 'holdBytes'>) =>
  defineRoute(listNotesContract, async ({ query, company, header, stillAllowed }) => {
    const after = cursors.read(query);
    const feed = await lookUpInCompany(db, company.id, findFeed);
    const headers = {
      ETag: listTag(company.id, feed, query),
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie, X-Company-Id',
    };
    if (hasCurrentCopy(header('If-None-Match'), headers.ETag)) {
      return { status: 304 as const, headers };
    }
    // One more than asked for tells whether there is a next page.
    const listing = { ...query, after, limit: query.limit + 1 };
    const inOrder = isReadInIndexOrder(query) ? withCompanyInIndexOrder : withCompany;
    const browse = () => inOrder(db, company.id, (tx) => readNoteList(tx, listing));
    const search = async () => {
      await catchUpSearch(db, company.id);
      return browse();
    };
    const read = query.q === undefined ? browse : search;
    const isFull = query.view === 'full';
    const readAfterWait = async () => {
      await stillAllowed();
      return read();
    };
    const work = isFull ? () => holdBytes(2 * pageBytesMax, readAfterWait) : readAfterWait;
    const isHeavy = isFull || query.q !== undefined;
    const { rows, positionOf } = await (isHeavy ? takeTurn(company.id, work) : read());
    const fitting = rows.filter((row) => row.bytesBefore < pageBytesMax).length;
    const pageQuery = { ...query, limit: Math.min(query.limit, fitting) };
    const { items, nextCursor } = cursors.page(pageQuery, rows, positionOf);
    return reply(200, { items: items.map(presentListedNote), nextCursor }, headers);
  });
