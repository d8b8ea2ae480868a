import type { NoteFilters } from '../queries/note-filters.ts';
import { hash } from 'node:crypto';
import { AppError, type NoteId } from '@commonplace/contracts/core';
import { goOnInIndexOrder, type CompanyTx } from '@commonplace/db';
import { searchNoteIds, searchNotes } from '../queries/search.ts';
import { listNotes, listTaggedIds, type NoteListing } from '../queries/list-notes.ts';
import type { ListedNoteRow } from '../queries/note-rows.ts';

/**
 * Whether a list is read along the index of its order. Filters other than for tags may lead to few notes,
 * which are sorted then; what is known of tags and searches is seen when they are looked up.
 */
export const usesIndexOrder = (filters: Omit<NoteFilters, 'taggedIds' | 'tag'>): boolean => {
  const { folder, pinned, archived, author, conflicts, deleted, updatedSince } = filters;
  const narrowing = [folder || undefined, pinned, archived, author, conflicts, updatedSince];
  return deleted !== 'only' && narrowing.every((filter) => filter === undefined);
};

/** Where a company's notes stand. */
type FeedState = { readonly epoch: string; readonly head: number; readonly floor: number };

/**
 * The weak entity tag of a list: the same company, query and state of its notes give the
 * same list. `floor` counts because a purge takes tombstones out of a list without moving `head`.
 */
export const listEtag = (companyId: string, feed: FeedState | null, query: object): string => {
  const state = JSON.stringify([companyId, feed?.epoch, feed?.head, feed?.floor, query]);
  return `W/"${hash('sha256', state, 'base64url').slice(0, 22)}"`;
};

type Position = [sortValue: string | number, id: NoteId];

export type NoteList = {
  readonly rows: readonly ListedNoteRow[];
  /** Where in the list a row is. */
  readonly positionOf: (row: ListedNoteRow) => Position;
};

/**
 * Reads a list of notes. A search is ranked; one with too many matches for that gives them by time,
 * and its later pages too: the position the last one ended at tells which kind it was. Notes that are known
 * by then, by a tag or as found, are looked up by their key.
 */
export const listNotePage = async (
  tx: CompanyTx,
  request: Omit<NoteListing, 'taggedIds'>,
): Promise<NoteList> => {
  const { q, after, tag } = request;
  const isRanked = q !== undefined && typeof after?.[0] !== 'string';
  const [taggedIds, foundIds] = await Promise.all([
    tag.length > 0 ? listTaggedIds(tx, tag) : null,
    isRanked ? searchNoteIds(tx, { q, goesOn: after !== null }) : null,
  ]);
  const listing = { ...request, taggedIds };
  if (taggedIds || foundIds) {
    await goOnInIndexOrder(tx);
  }
  if (isRanked && foundIds) {
    const rows = await searchNotes(tx, { ...listing, q, foundIds });
    return { rows, positionOf: (row) => [row.rank ?? 0, row.id] };
  }
  if (isRanked && after) {
    throw new AppError('validation_failed', 'Too many notes match by now: search from the start.');
  }
  const { sort, order } = q === undefined ? request : newestFirst;
  const rows = await listNotes(tx, { ...listing, sort, order });
  return {
    rows,
    positionOf: (row) => [sort === 'title' ? row.title : row[sort].toISOString(), row.id],
  };
};

const newestFirst = { sort: 'updatedAt', order: 'desc' } as const;
