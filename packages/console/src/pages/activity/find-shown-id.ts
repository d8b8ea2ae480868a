import { isId } from '../../components/is-id.ts';
import { idsIn } from './fold-text.ts';

/** What the rows show of an id. */
const shortLength = 8;

/**
 * The id that somebody typed: a whole one, or the end or beginning of one that is in the data that was listed, as its rows show it.
 * Empty without a text; null if no id, or more than one, is like that.
 */
export const findShownId = (text: string, listed: unknown): string | null => {
  const typed = text.toLowerCase();
  if (typed === '' || isId(typed)) {
    return typed;
  }
  if (typed.length < shortLength) {
    return null;
  }
  const all = new Set(idsIn(JSON.stringify(listed)).map((id) => id.toLowerCase()));
  const alike = [...all].filter((id) => id.endsWith(typed) || id.startsWith(typed));
  return alike.length === 1 ? (alike[0] ?? null) : null;
};
