import type { Schema } from '@commonplace/client';

type NoteLinks = Pick<Schema<'NoteLinks'>, 'links' | 'backlinks'>;

/** A note that is one link away. */
export type Neighbour = {
  readonly id: string;
  readonly title: string;
  /** Whether it links to the note, the note links to it, or both. */
  readonly direction: 'in' | 'out' | 'both';
};

type Neighbours = {
  /** Notes that only link to the note. */
  readonly left: readonly Neighbour[];
  readonly right: readonly Neighbour[];
  /** How many are left out. */
  readonly omitted: number;
};

/** The notes around a note, at most `sideMax` of them on each side, each once, without the note itself. */
export const noteNeighbours = (
  noteId: string,
  { links, backlinks }: NoteLinks,
  sideMax: number,
): Neighbours => {
  const backlinkIds = new Set(backlinks.map(({ id }) => id));
  const right = new Map<string, Neighbour>();
  for (const { target, title } of links) {
    if (target !== null && target !== noteId) {
      right.set(target, {
        id: target,
        title,
        direction: backlinkIds.has(target) ? 'both' : 'out',
      });
    }
  }
  const left = backlinks
    .filter(({ id }) => id !== noteId && !right.has(id))
    .map(({ id, title }) => ({ id, title, direction: 'in' as const }));
  const omittedOf = (count: number): number => Math.max(0, count - sideMax);
  return {
    left: left.slice(0, sideMax),
    right: [...right.values()].slice(0, sideMax),
    omitted: omittedOf(left.length) + omittedOf(right.size),
  };
};
