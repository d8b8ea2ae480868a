import type { markdown } from '@codemirror/lang-markdown';

/** What the parser of Markdown can be extended with. */
export type MarkdownExtension = NonNullable<
  NonNullable<Parameters<typeof markdown>[0]>['extensions']
>;

const charactersMin = 1_000;
const charactersMax = 10_000;

/**
 * Highlights a long paragraph as several, cut at ends of lines. Otherwise each key in a log of thousands of lines without
 * an empty one would parse all of it again: the parser works, and uses its earlier results, by paragraphs. Emphasis over
 * a cut is not highlighted; only the look of the text depends on it.
 */
export const boundParagraphs: MarkdownExtension = {
  parseBlock: [
    {
      name: 'BoundParagraphs',
      endLeaf: (_context, line, leaf) =>
        leaf.content.length >= charactersMax ||
        (leaf.content.length >= charactersMin && isCut(line.text)),
    },
  ],
};

/** Whether a line begins a part: one in 16 does. It depends on the line alone, so that a new line moves no cuts below it. */
const isCut = (text: string): boolean => {
  let sum = text.length;
  for (let index = Math.max(0, text.length - 64); index < text.length; index += 1) {
    sum = (sum * 31 + text.charCodeAt(index)) & 0xffff;
  }
  return sum >> 12 === 0;
};
