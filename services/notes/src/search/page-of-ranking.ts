import { hash } from 'node:crypto';
import type { NoteId } from '@commonplace/contracts/core';
import type { RankedNote } from './ranking/rank-notes.ts';

/**
 * Where a page of a ranked search ended: the generation of the statistics, how many notes before it, and the last. A page that
 * was ranked by meaning as well has marks of all notes up to its end, because the next one may have another order.
 */
export type RankedPosition =
  | [kind: 'best', generation: number, before: number, id: NoteId]
  | [kind: 'hybrid', generation: number, before: number, id: NoteId, shown: string];

/** Bytes of a hash of an id: two of 200 notes have the same in one of 50 million searches. */
const markBytes = 5;

type PageRequest = {
  readonly generation: number;
  readonly isHybrid: boolean;
  readonly after: RankedPosition | null;
  readonly limit: number;
};

type RankedSlice = {
  readonly some: readonly RankedNote[];
  readonly positionOf: (note: Pick<RankedNote, 'id'>) => RankedPosition;
};

/** The notes of a page after a position, and the positions of its notes. */
export const pageOfRanking = (notes: readonly RankedNote[], request: PageRequest): RankedSlice => {
  const { generation, isHybrid, after, limit } = request;
  if (isHybrid) {
    return pageWithMarks(notes, request);
  }
  // The last note may be deleted by now, or have another place.
  const found = after ? notes.findIndex(({ id }) => id === after[3]) : -1;
  const from = after ? (found === -1 ? after[2] : found + 1) : 0;
  const some = notes.slice(from, from + limit);
  const places = new Map(some.map(({ id }, index) => [id, from + index + 1]));
  return { some, positionOf: ({ id }) => ['best', generation, places.get(id) ?? from, id] };
};

/** Leaves out what earlier pages had, whatever order they were in. */
const pageWithMarks = (
  notes: readonly RankedNote[],
  { generation, after, limit }: PageRequest,
): RankedSlice => {
  const before = after?.[0] === 'hybrid' ? marksOf(after[4]) : [];
  const shown = new Set(before);
  const some = notes.filter(({ id }) => !shown.has(markOf(id))).slice(0, limit);
  const marks = [...before, ...some.map(({ id }) => markOf(id))];
  const places = new Map(some.map(({ id }, index) => [id, before.length + index + 1]));
  return {
    some,
    positionOf: ({ id }) => {
      const place = places.get(id) ?? before.length;
      const upToHere = Buffer.from(marks.slice(0, place).join(''), 'hex').toString('base64url');
      return ['hybrid', generation, place, id, upToHere];
    },
  };
};

const markOf = (id: NoteId): string => hash('sha256', id).slice(0, 2 * markBytes);

const marksOf = (shown: string): string[] =>
  Buffer.from(shown, 'base64url')
    .toString('hex')
    .match(new RegExp(`.{${2 * markBytes}}`, 'g')) ?? [];
