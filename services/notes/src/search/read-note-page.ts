import type { NoteFilters } from '../queries/note-filters.ts';
import { hash } from 'node:crypto';
import { AppError, type NoteId, type Reach } from '@commonplace/contracts/core';
import type { SearchCorrection } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type CompanyTx, type Db } from '@commonplace/db';
import { searchNotes } from '../queries/search.ts';
import { listNotes, listTaggedIds, type NoteListing } from '../queries/list-notes.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import type { SearchStatistics } from '../queries/search-statistics.ts';
import { addPassages, searchedOf } from './add-passages.ts';
import type { QueryMeaning } from './embeddings/query-meaning.ts';
import { listRankedPage } from './list-ranked.ts';
import type { RankedPosition } from './page-of-ranking.ts';
import { listCorrections } from './resolve-words.ts';
import { findMatchingNotes, type FoundNotes, type SearchRequest } from './find-matching-notes.ts';

/**
 * Whether a list is read in the order of its index. Filters other than tags may match few notes, which are
 * sorted instead. Tags and searches are decided after their lookups.
 */
const usesIndexOrder = (filters: Omit<NoteFilters, 'taggedIds' | 'tag'>): boolean => {
  const { folder, pinned, archived, author, conflicts, deleted } = filters;
  const { updatedSince, updatedUntil } = filters;
  const narrowing = [
    folder || undefined,
    pinned,
    archived,
    author,
    // Nearly all notes are no conflict copies.
    conflicts === 'exclude' ? undefined : conflicts,
    updatedSince,
    updatedUntil,
  ];
  return deleted !== 'only' && narrowing.every((filter) => filter === undefined);
};

/** The state of a company's notes. */
type FeedState = { readonly epoch: string; readonly head: number; readonly floor: number };

/** What a list depends on. `indexedNo`: how far the index was, where a search does not have all earlier changes. */
type ListState = FeedState & {
  readonly generation?: number;
  readonly embeddedNo?: number | null;
  readonly indexedNo?: number | null;
};

/**
 * The weak entity tag of a list, derived from company, folders, query and feed state. `floor` is included because a
 * purge removes tombstones from lists without moving `head`.
 */
export const listEtag = (
  { companyId, folders }: Reach,
  feed: ListState | null,
  query: object,
): string => {
  const { epoch, head, floor, generation, embeddedNo, indexedNo } = feed ?? {};
  // Where nothing is embedded, hidden or missing, tags stay those of earlier releases.
  const extra = [
    ...(typeof embeddedNo === 'number' ? [embeddedNo] : []),
    ...(folders ? [folders] : []),
    ...(typeof indexedNo === 'number' ? ['indexed', indexedNo] : []),
  ];
  const state = JSON.stringify([companyId, epoch, head, floor, generation, query, ...extra]);
  return `W/"${hash('sha256', state, 'base64url').slice(0, 22)}"`;
};

type Position = [sortValue: string | number, id: NoteId] | RankedPosition;

export type NoteList = {
  readonly rows: readonly ListedNoteRow[];
  /** The position of a row, for the cursor. */
  readonly positionOf: (row: ListedNoteRow) => Position;
  /** Of a search: whether the notes have all words or any of them. */
  readonly matched?: 'all' | 'any';
  readonly corrections?: readonly SearchCorrection[];
  /** Of one for any of the words: what it was ranked by. */
  readonly ranking?: 'lexical' | 'hybrid';
};

/** A page of a list or, with `q`, of a search. */
export type NotePageRequest = Omit<NoteListing, 'granted' | 'taggedIds' | 'tsQuery' | 'after'> & {
  readonly q?: string | undefined;
  readonly match?: SearchRequest['match'] | 'best';
  readonly explain?: boolean | undefined;
  readonly isRebuilding?: boolean;
  readonly statistics?: SearchStatistics;
  readonly meaning?: QueryMeaning | null;
  /** The ids of the notes that have the tags; null: too many, or no tags; absent: not looked up yet. */
  readonly taggedIds?: NoteListing['taggedIds'];
  readonly after: Position | null;
};

/**
 * Runs `listNotePage` in the order of an index where that is faster: always with `q`, and with tags once the notes that
 * have them are known. They are looked up before, in any order.
 */
export const readNotePage = async (
  db: Db,
  reach: Reach,
  request: NotePageRequest,
): Promise<NoteList> => {
  const { q, tag } = request;
  const taggedIds =
    q === undefined && tag.length > 0
      ? await read(db, reach, (tx) => listTaggedIds(tx, tag))
      : null;
  const isOrdered = q !== undefined || taggedIds !== null || usesIndexOrder(request);
  return read(db, isOrdered ? inIndexOrder(reach) : reach, (tx) =>
    listNotePage(tx, { ...request, ...(q === undefined ? { taggedIds } : {}) }),
  );
};

/** What to look for, with the ids of the notes that have the tags. */
type TaggedRequest = Omit<NotePageRequest, 'after'> & Pick<NoteListing, 'granted' | 'taggedIds'>;

/**
 * Reads a page of notes. A search for all words is ranked; one with too many matches is sorted by time, and so are its later
 * pages: the type of the position shows which. A search that finds nothing goes on with any of the words. Notes found by
 * tag or search are read by primary key. With `q`, or with known ids of the notes that have the tags, its statements have to
 * run in index order.
 */
export const listNotePage = async (
  tx: CompanyTx,
  { after, ...request }: NotePageRequest,
): Promise<NoteList> => {
  const { q, tag } = request;
  const isLookedUp = request.taggedIds !== undefined || tag.length === 0;
  const taggedIds = isLookedUp ? (request.taggedIds ?? null) : await listTaggedIds(tx, tag);
  const listing = { ...request, granted: tx.folders, taggedIds };
  if (q === undefined) {
    return listSorted(tx, { ...listing, after: isRanked(after) ? null : after });
  }
  if (request.match === 'best' || isRanked(after)) {
    const page = await listBest(tx, { ...listing, q }, isRanked(after) ? after : null);
    return page ?? listWords(tx, { ...listing, q }, isRanked(after) ? null : after);
  }
  return listWords(tx, { ...listing, q }, after);
};

/** Whether the pages before were those of a ranked search. */
export const isRanked = (after: Position | null): after is RankedPosition =>
  after?.[0] === 'best' || after?.[0] === 'hybrid';

const nothing: NoteList = { rows: [], positionOf: ({ id }) => [0, id] };

/** Notes with any of the words; null: the query has none. */
const listBest = async (
  tx: CompanyTx,
  listing: TaggedRequest & { readonly q: string },
  after: RankedPosition | null,
): Promise<NoteList | null> => {
  const { q, isRebuilding = false, statistics, view, limit } = listing;
  const isExplained = listing.explain ?? false;
  const search = { q, isRebuilding, statistics, filters: listing };
  const meaning = listing.meaning ?? null;
  const request = { ...search, view, limit, after, isExplained, meaning };
  const page = await listRankedPage(tx, request);
  return (
    page && {
      rows: await addPassages(tx, page.rows, page.ranking),
      positionOf: page.positionOf,
      matched: 'any',
      corrections: listCorrections(page.ranking.corrections),
      ranking: page.kind,
    }
  );
};

/** Notes with all words; if there are none, those with any. */
const listWords = async (
  tx: CompanyTx,
  { match, ...listing }: TaggedRequest & { readonly q: string },
  after: NoteListing['after'],
): Promise<NoteList> => {
  const { q, isRebuilding = false } = listing;
  const request = { q, match: match === 'prefix' ? match : undefined, isRebuilding } as const;
  const found = await findMatchingNotes(tx, request, typeof after?.[0] === 'number');
  if (found === null) {
    return nothing;
  }
  const page = await listFound(tx, { ...listing, after }, found);
  if (page.rows.length === 0 && after === null) {
    return (await listBest(tx, listing, null)) ?? nothing;
  }
  const rows = await addPassages(tx, page.rows, searchedOf(found));
  return { ...page, rows, matched: 'all', corrections: listCorrections(found.corrections) };
};

const listFound = async (
  tx: CompanyTx,
  listing: NoteListing,
  found: FoundNotes,
): Promise<NoteList> => {
  const sortValue = listing.after?.[0];
  if (found.ids && typeof sortValue !== 'string') {
    const { rankQuery, ids: foundIds } = found;
    const rows = await searchNotes(tx, { ...listing, rankQuery, foundIds });
    return { rows, positionOf: (row) => [row.rank ?? 0, row.id] };
  }
  if (typeof sortValue === 'number') {
    throw new AppError(
      'validation_failed',
      'Too many notes match now; restart the search without a cursor.',
    );
  }
  const { tsQuery } = found;
  return listSorted(tx, { ...listing, ...newestFirst, tsQuery });
};

const listSorted = async (tx: CompanyTx, listing: NoteListing): Promise<NoteList> => {
  const { sort } = listing;
  return {
    rows: await listNotes(tx, listing),
    positionOf: (row) => [sort === 'title' ? row.title : row[sort].toISOString(), row.id],
  };
};

const newestFirst = { sort: 'updatedAt', order: 'desc' } as const;
