import { noteId, type Reach } from '@commonplace/contracts/core';
import { listNotesContract } from '@commonplace/contracts/notes';
import { lookup, type Db } from '@commonplace/db';
import { defineRoute, matchesEtag, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { isRanked, listEtag, readNotePage, type NoteList } from '../search/read-note-page.ts';
import type { Deps } from '../deps.ts';
import { presentListedNote, presentMatched } from '../present/present-note.ts';
import { excerptBytesMax } from '../queries/excerpt-texts.ts';
import { findFeed } from '../queries/feed.ts';
import { pageBytesMax } from '../queries/note-rows.ts';
import type { ReadyIndex } from '../search/index-wait.ts';
import { readSearchPage } from '../search/read-search-page.ts';
import { startSearch, startsWithSample, type StartedList } from '../search/start-search.ts';

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

type Start = StartedList | null;

/** The state of a company's notes and, with `q`, what else is known before a search. */
const startList = async (db: Db, reach: Reach, { q }: ListQuery): Promise<Start> => {
  if (q !== undefined) {
    return startSearch(db, reach, { q });
  }
  const feed = await lookup(db, reach, findFeed);
  return feed && { feed };
};

const isRankedQuery = ({ match }: ListQuery, after: Position): boolean =>
  match === 'best' || isRanked(after);

/** A search for any of the words, unless its pages before were ranked by words. */
const isRankedByMeaning = (query: ListQuery, after: Position): query is { readonly q: string } =>
  query.q !== undefined && (after === null ? query.match === 'best' : after[0] === 'hybrid');

type Found = {
  readonly start: Start;
  readonly page: NoteList;
  /** Of a search. */
  readonly index?: ReadyIndex;
};

type ListedState = Pick<Found, 'start'> & {
  readonly embeddedNo: number | null;
  readonly index: ReadyIndex | undefined;
};

const headersOf = (reach: Reach, query: object, { start, embeddedNo, index }: ListedState) => {
  const indexedNo = index?.isComplete === false ? index.indexedNo : null;
  return {
    ETag: listEtag(reach, start && { ...start.feed, embeddedNo, indexedNo }, query),
    'Cache-Control': 'private, no-cache',
    Vary: 'Authorization, Cookie, X-Company-Id',
  };
};

/** Lists and searches notes. The ETag depends on the feed only, so 304 costs one lookup. */
export const listNotesRoute = ({
  db,
  search: { waitForIndex },
  findMeaning,
}: Pick<Deps, 'db' | 'search' | 'findMeaning'>) =>
  defineRoute(listNotesContract, async ({ query, company, header, work }) => {
    const { reach } = company;
    const { q } = query;
    const after = cursors.read(query);
    const search = q === undefined ? null : { q, isRanked: isRankedQuery(query, after) };
    const isSampled = search !== null && startsWithSample(reach, search);
    const known = header('If-None-Match');
    const [before, meaning] = await Promise.all([
      isSampled && known === undefined ? null : startList(db, reach, query),
      isRankedByMeaning(query, after) ? findMeaning(company.id, query.q) : null,
    ]);
    const embeddedNo = meaning?.changeNo ?? null;
    const headersAt = (start: Start, index?: ReadyIndex) =>
      headersOf(reach, query, { start, embeddedNo, index });
    if (known !== undefined && matchesEtag(known, headersAt(before).ETag)) {
      return { status: 304 as const, headers: headersAt(before) };
    }
    // One extra row shows whether there is a next page.
    const listing = { ...query, after, limit: query.limit + 1, meaning };
    const isFull = query.view === 'full';
    const heldBytes = (isFull ? 2 * pageBytesMax : 0) + (search ? excerptBytesMax : 0);
    const inSlot = <Result>(run: () => Promise<Result>) =>
      heldBytes > 0 ? work.heavy(run, heldBytes) : run();
    const {
      start,
      page: found,
      index,
    }: Found = search
      ? await readSearchPage({ db, waitForIndex }, reach, {
          listing: { ...listing, q: search.q },
          ...(!isSampled && { start: before }),
          inSlot,
        })
      : { start: before, page: await inSlot(() => readNotePage(db, reach, listing)) };
    const { rows, positionOf } = found;
    const fitting = rows.filter((row) => row.bytesBefore < pageBytesMax).length;
    const pageQuery = { ...query, limit: Math.min(query.limit, fitting) };
    const { items, nextCursor } = cursors.page(pageQuery, rows, positionOf);
    const page = { items: items.map(presentListedNote), nextCursor };
    const isComplete = index && { isComplete: index.isComplete };
    const body = { ...page, ...presentMatched(found), ...isComplete };
    return reply(200, body, headersAt(start, index));
  });
