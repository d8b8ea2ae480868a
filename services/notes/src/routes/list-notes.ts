import { noteId, type Reach } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { lookup, type Db } from '@commonplace/db';
import { defineRoute, matchesEtag, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { isRanked, listEtag, readNotePage } from '../search/read-note-page.ts';
import type { Deps } from '../deps.ts';
import { presentListedNote, presentMatched } from '../present/present-note.ts';
import { excerptBytesMax } from '../queries/excerpt-texts.ts';
import { findFeed } from '../queries/feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import { startSearch, type StartedSearch } from '../search/start-search.ts';

/**
 * The position where a page ended. Cursors are bound to the query and so to its order: a position of another
 * type can only be forged, and PostgreSQL rejects it (400).
 */
const cursors = pageCursor(
  'notes',
  z.union([
    z.tuple([z.literal('best'), z.int(), z.int(), noteId]),
    z.tuple([z.literal('hybrid'), z.int(), z.int(), noteId, z.string()]),
    z.tuple([z.union([z.string(), z.number()]), noteId]),
  ]),
);

type Position = ReturnType<typeof cursors.read>;

type ListQuery = { readonly q?: string | undefined; readonly match?: string | undefined };

/** The state of a company's notes and, with `q`, what else is known before a search. */
const startList = async (
  db: Db,
  reach: Reach,
  { q, match, after }: ListQuery & { readonly after: Position },
): Promise<(Pick<StartedSearch, 'feed'> & Partial<StartedSearch>) | null> => {
  if (q !== undefined) {
    return startSearch(db, reach, { q, isRanked: match === 'best' || isRanked(after) });
  }
  const feed = await lookup(db, reach, findFeed);
  return feed && { feed };
};

/** A search for any of the words, unless its pages before were ranked by words. */
const isRankedByMeaning = (query: ListQuery, after: Position): query is { readonly q: string } =>
  query.q !== undefined && (after === null ? query.match === 'best' : after[0] === 'hybrid');

/** Lists and searches notes. The ETag depends on the feed only, so 304 costs one lookup. */
export const listNotesRoute = ({
  db,
  search: { indexPendingNotes },
  findMeaning,
}: Pick<Deps, 'db' | 'search' | 'findMeaning'>) =>
  defineRoute(listNotesContract, async ({ query, company, header, work }) => {
    const after = cursors.read(query);
    const isSearch = query.q !== undefined;
    const [start, meaning] = await Promise.all([
      startList(db, company.reach, { ...query, after }),
      isRankedByMeaning(query, after) ? findMeaning(company.id, query.q) : null,
    ]);
    const state = start && { ...start.feed, embeddedNo: meaning?.changeNo ?? null };
    const headers = {
      ETag: listEtag(company.reach, state, query),
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Cookie, X-Company-Id',
    };
    if (matchesEtag(header('If-None-Match'), headers.ETag)) {
      return { status: 304 as const, headers };
    }
    // One extra row shows whether there is a next page.
    const listing = { ...query, after, limit: query.limit + 1 };
    const browse = () => readNotePage(db, company.reach, listing);
    const search = async () => {
      const isRebuilding = await indexPendingNotes(company.id, start?.state);
      const statistics = start?.statistics && { statistics: start.statistics };
      const of = { ...listing, ...statistics, isRebuilding, meaning };
      return readNotePage(db, company.reach, of);
    };
    const readPage = isSearch ? search : browse;
    const isFull = query.view === 'full';
    const heldBytes = (isFull ? 2 * pageBytesMax : 0) + (isSearch ? excerptBytesMax : 0);
    const { rows, positionOf, matched, ranking } = await (heldBytes > 0
      ? work.heavy(readPage, heldBytes)
      : readPage());
    const fitting = rows.filter((row) => row.bytesBefore < pageBytesMax).length;
    const pageQuery = { ...query, limit: Math.min(query.limit, fitting) };
    const { items, nextCursor } = cursors.page(pageQuery, rows, positionOf);
    const page = { items: items.map(presentListedNote), nextCursor };
    return reply(200, { ...page, ...presentMatched(matched, ranking) }, headers);
  });
