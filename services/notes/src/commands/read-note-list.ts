import { AppError, type NoteId } from '@commonplace/contracts/core';
import { goOnInIndexOrder, type CompanyTx } from '@commonplace/db';
import { listFoundIds } from '../queries/list-found-ids.ts';
import { listNotes, type NoteListing } from '../queries/list-notes.ts';
import { listTaggedIds } from '../queries/list-tagged-ids.ts';
import type { ListedNoteRow } from '../queries/listed-note-row.ts';
import { searchNotes } from '../queries/search-notes.ts';

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
export const readNoteList = async (
  tx: CompanyTx,
  request: Omit<NoteListing, 'taggedIds'>,
): Promise<NoteList> => {
  const { q, after, tag } = request;
  const isRanked = q !== undefined && typeof after?.[0] !== 'string';
  const [taggedIds, foundIds] = await Promise.all([
    tag.length > 0 ? listTaggedIds(tx, tag) : null,
    isRanked ? listFoundIds(tx, { q, goesOn: after !== null }) : null,
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
