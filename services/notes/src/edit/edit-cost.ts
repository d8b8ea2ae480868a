import type { ContentEdit } from './edit-result.ts';

/** A match is cut out and joined again, which takes as long as comparing so many characters. */
const charactersPerMatch = 2;
/** The blocks of so few characters are parsed in some milliseconds at most, whatever they are. */
const headingCharactersMax = 16 * 1024;
/** Parsing a character of Markdown takes as long as comparing so many. */
const charactersPerParsed = 32;

/**
 * The cost of an edit, in characters compared: of the text as it is before the edit, and of the matches in it. The
 * request alone says little: a short one may name half a million matches.
 */
export const editCost = (text: string, edit: ContentEdit): number => {
  switch (edit.op) {
    case 'append':
    case 'prepend':
      return edit.text.length;
    case 'replace':
      return text.length + charactersPerMatch * Math.min(edit.count, text.length);
    // Linear, and only of notes that one request may name.
    case 'rename_links':
      return 0;
    default:
      return text.length > headingCharactersMax ? Infinity : charactersPerParsed * text.length;
  }
};
