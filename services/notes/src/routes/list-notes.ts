import { noteId, type Reach } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { lookup, type Db } from '@commonplace/db';
import { defineRoute, matchesEtag, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { listEtag, readNotePage } from '../search/read-note-page.ts';
import type { Deps } from '../deps.ts';
import { presentListedNote, presentMatched } from '../present/present-note.ts';
import { excerptBytesMax } from '../queries/excerpt-texts.ts';
import { findFeed } from '../queries/feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import { findSearchStart } from '../queries/search-statistics.ts';
import { searchedTerms } from '../search/ranking/rank-notes.ts';

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

/** The state of a company's notes; with `q`, that of its index and of its statistics as well. */
const findListState = async (db: Db, reach: Reach, q: string | undefined) => {
  if (q === undefined) {
    return { feed: await lookup(db, reach, findFeed), start: null };
  }
  const terms = searchedTerms(q);
  const start = await lookup(db, reach, (tx) => findSearchStart(tx, terms));
  const generation = start?.statistics.generation;
  return { feed: start && { ...start.feed, generation: generation ?? 0 }, start };
};

type Position = ReturnType<typeof cursors.read>;

/** A search for any of the words, unless its pages before were ranked by words. */
const isRankedByMeaning = (
  query: { readonly q?: string | undefined; readonly match?: string | undefined },
  after: Position,
): query is { readonly q: string } =>
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
    const [{ feed, start }, meaning] = await Promise.all([
      findListState(db, company.reach, query.q),
      isRankedByMeaning(query, after) ? findMeaning(company.id, query.q) : null,
    ]);
    const state = feed && { ...feed, embeddedNo: meaning?.changeNo ?? null };
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
      const statistics = start ? { statistics: start.statistics } : {};
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
