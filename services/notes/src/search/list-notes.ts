import type { NoteFilters } from '../queries/note-filters.ts';
import { hash } from 'node:crypto';
import { AppError, type NoteId } from '@commonplace/contracts/core';
import { switchToIndexOrder, type CompanyTx } from '@commonplace/db';
import { searchNoteIds, searchNotes } from '../queries/search.ts';
import { listNotes, listTaggedIds, type NoteListing } from '../queries/list-notes.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';

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
};

/**
 * Reads a page of notes. A search is ranked; one with too many matches is sorted by time, and so are its later
 * pages: the type of the position tells which. Notes found by tag or search are read by primary key.
 */
export const listNotePage = async (
  tx: CompanyTx,
  request: Omit<NoteListing, 'taggedIds'>,
): Promise<NoteList> => {
  const { q, after, tag } = request;
  const isRanked = q !== undefined && typeof after?.[0] !== 'string';
  const [taggedIds, foundIds] = await Promise.all([
    tag.length > 0 ? listTaggedIds(tx, tag) : null,
    isRanked ? searchNoteIds(tx, { q, isContinued: after !== null }) : null,
  ]);
  const listing = { ...request, taggedIds };
  if (taggedIds || foundIds) {
    await switchToIndexOrder(tx);
  }
  if (isRanked && foundIds) {
    const rows = await searchNotes(tx, { ...listing, q, foundIds });
    return { rows, positionOf: (row) => [row.rank ?? 0, row.id] };
  }
  if (isRanked && after) {
    throw new AppError(
      'validation_failed',
      'Too many notes match now; restart the search without a cursor.',
    );
  }
  const { sort, order } = q === undefined ? request : newestFirst;
  const rows = await listNotes(tx, { ...listing, sort, order });
  return {
    rows,
    positionOf: (row) => [sort === 'title' ? row.title : row[sort].toISOString(), row.id],
  };
};

const newestFirst = { sort: 'updatedAt', order: 'desc' } as const;
