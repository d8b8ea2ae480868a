import type { NoteFilters } from '../queries/note-filters.ts';
import { hash } from 'node:crypto';
import { AppError, type NoteId } from '@commonplace/contracts/core';
import { switchToIndexOrder, type CompanyTx } from '@commonplace/db';
import { searchNotes } from '../queries/search.ts';
import { listNotes, listTaggedIds, type NoteListing } from '../queries/list-notes.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';
import { findMatchingNotes, type FoundNotes, type SearchRequest } from './search-notes.ts';

/**
 * Whether a list is read in the order of its index. Filters other than tags may match few notes, which are
 * sorted instead. Tags and searches are decided after their lookups.
 */
export const usesIndexOrder = (filters: Omit<NoteFilters, 'taggedIds' | 'tag'>): boolean => {
  const { folder, pinned, archived, author, conflicts, deleted, updatedSince } = filters;
  const narrowing = [folder || undefined, pinned, archived, author, conflicts, updatedSince];
  return deleted !== 'only' && narrowing.every((filter) => filter === undefined);
};

/** The state of a company's notes. */
type FeedState = { readonly epoch: string; readonly head: number; readonly floor: number };

/**
 * The weak entity tag of a list, derived from company, query and feed state. `floor` is included because a
 * purge removes tombstones from lists without moving `head`.
 */
export const listEtag = (companyId: string, feed: FeedState | null, query: object): string => {
  const state = JSON.stringify([companyId, feed?.epoch, feed?.head, feed?.floor, query]);
  return `W/"${hash('sha256', state, 'base64url').slice(0, 22)}"`;
};

type Position = [sortValue: string | number, id: NoteId];

export type NoteList = {
  readonly rows: readonly ListedNoteRow[];
  /** The position of a row, for the cursor. */
  readonly positionOf: (row: ListedNoteRow) => Position;
  /** What was searched for. */
  readonly found?: FoundNotes;
};

/** A page of a list or, with `q`, of a search. */
export type NotePageRequest = Omit<NoteListing, 'taggedIds' | 'tsQuery'> & {
  readonly q?: string | undefined;
  readonly match?: SearchRequest['match'];
  readonly isRebuilding?: boolean;
};

/**
 * Reads a page of notes. A search is ranked; one with too many matches is sorted by time, and so are its later
 * pages: the type of the position shows which. Notes found by tag or search are read by primary key.
 */
export const listNotePage = async (tx: CompanyTx, request: NotePageRequest): Promise<NoteList> => {
  const { q, match, isRebuilding = false, after, tag } = request;
  if (q !== undefined) {
    await switchToIndexOrder(tx);
  }
  const [taggedIds, found] = await Promise.all([
    tag.length > 0 ? listTaggedIds(tx, tag) : null,
    q === undefined
      ? undefined
      : findMatchingNotes(tx, { q, match, isRebuilding }, typeof after?.[0] === 'number'),
  ]);
  const listing = { ...request, taggedIds };
  if (found === null) {
    return { rows: [], positionOf };
  }
  if (taggedIds && q === undefined) {
    await switchToIndexOrder(tx);
  }
  return found ? listFound(tx, listing, found) : listSorted(tx, listing);
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
    return { rows, positionOf: (row) => [row.rank ?? 0, row.id], found };
  }
  if (typeof sortValue === 'number') {
    throw new AppError(
      'validation_failed',
      'Too many notes match now; restart the search without a cursor.',
    );
  }
  const { tsQuery } = found;
  return { ...(await listSorted(tx, { ...listing, ...newestFirst, tsQuery })), found };
};

const listSorted = async (tx: CompanyTx, listing: NoteListing): Promise<NoteList> => {
  const { sort } = listing;
  return {
    rows: await listNotes(tx, listing),
    positionOf: (row) => [sort === 'title' ? row.title : row[sort].toISOString(), row.id],
  };
};

const positionOf = ({ id }: ListedNoteRow): Position => [0, id];

const newestFirst = { sort: 'updatedAt', order: 'desc' } as const;
