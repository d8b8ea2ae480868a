import { beginningOf } from './beginning-of.ts';

/** About two lines. */
const foldedLength = 140;

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The ids in a text, in their order. */
export const idsIn = (text: string): readonly string[] => text.match(ids) ?? [];

/**
 * The beginning of a long text, with the ends of its ids: those differ from others of the same time, as in lists of runs. Null if
 * nothing is left out.
 */
export const foldText = (text: string): string | null => {
  const short = text.replaceAll(ids, (id) => id.slice(-8));
  return beginningOf(short, foldedLength) ?? (short === text ? null : short);
};
