import { linksIn } from './extract-links.ts';
import { linkedTitle } from './linked-title.ts';

/** A note got another title, and links that name the old one follow. */
export type LinkRename = {
  readonly op: 'rename_links';
  /** The note they lead to. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
};

/**
 * Changes links `[[from]]` and `[[from|text]]` outside code; a title that no link can hold is replaced by the id. Null: the
 * text becomes longer than the limit, which short links to a long title may do a hundredfold.
 */
export const renameLinks = (
  content: string,
  { id, from, to }: LinkRename,
  lengthMax: number,
): string | null => {
  const wanted = keyOf(from);
  // A text may have one link thousands of times.
  const known = new Map<string, boolean>();
  const isWanted = (named: string): boolean => {
    const isSame = known.get(named) ?? keyOf(named) === wanted;
    known.set(named, isSame);
    return isSame;
  };
  const target = isLinkable(to) ? to : id;
  const parts: string[] = [];
  let end = 0;
  let added = 0;
  for (const link of linksIn(content)) {
    const start = link.at + 2;
    if (content[link.at] === '[' && isWanted(link.target)) {
      const after = start + link.target.length;
      const label = target === id && content[after] === ']' ? `|${link.target}` : '';
      parts.push(content.slice(end, start), target, label);
      end = after;
      added += target.length + label.length - link.target.length;
      if (content.length + added > lengthMax) {
        return null;
      }
    }
  }
  return parts.length === 0 ? content : parts.join('') + content.slice(end);
};

/** The longest title that a link can hold. */
const linkableMax = 500;

const isLinkable = (title: string): boolean =>
  title.length <= linkableMax && linkedTitle(title) !== '' && !/[[\]|\n\\]/.test(title);

/** Titles that links do not distinguish; near to `notes.title_key`. */
const keyOf = (title: string): string =>
  linkedTitle(title).normalize('NFC').toUpperCase().toLowerCase();
