import type { NotePassage } from '@commonplace/contracts/notes';

/** A passage with its lines, and what it stands under if there is more than the title. */
export const passageLine = ({ text, fromLine, toLine, headings }: NotePassage): string => {
  const lines = fromLine === toLine ? `${fromLine}` : `${fromLine}-${toLine}`;
  const under = headings.length === 0 ? '' : ` [${headings.join(' > ')}]`;
  return `${lines}: ${text}${under}`;
};
