import type { Schema } from '@commonplace/client';

type Passage = Schema<'NotePassage'>;

/** A place in the text of a note, as it is in an address. */
export type PassagePlace = {
  /** The lines, from 1. */
  readonly line?: number;
  readonly toLine?: number;
  /** The heading that the lines stood below. */
  readonly under?: string;
};

/** Where a passage is. */
export const placeOfPassage = ({ fromLine, toLine, headings }: Passage): PassagePlace => {
  const under = headings.at(-1);
  return {
    line: fromLine,
    ...(toLine === fromLine ? {} : { toLine }),
    ...(under ? { under } : {}),
  };
};

/** The lines of a passage and the heading above it. */
export const describePlace = ({ fromLine, toLine, headings }: Passage): string => {
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine}–${toLine}`;
  const heading = headings.at(-1);
  return heading ? `${lines}, ${heading}` : lines;
};
