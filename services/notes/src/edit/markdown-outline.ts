import MarkdownIt from 'markdown-it';
import type { Heading, OutlineOf } from './outline.ts';

/** Finds blocks only: what is inside a line is not parsed. */
const parser = new MarkdownIt('commonmark');
parser.core.ruler.enableOnly(['normalize', 'block']);

/**
 * The headings of a CommonMark text, at its top level. Half a MiB can take seconds, so this runs in the worker
 * thread only.
 */
export const markdownOutline: OutlineOf = (text) => {
  const tokens = parser.parse(text, {});
  const starts = lineStarts(text);
  const headings: Heading[] = [];
  for (const [index, { type, level, map, tag }] of tokens.entries()) {
    if (type === 'heading_open' && level === 0 && map) {
      const [first, end] = map;
      headings.push({
        level: Number(tag.slice(1)),
        text: tokens[index + 1]?.content.trim() ?? '',
        start: starts[first] ?? text.length,
        end: starts[end] ?? text.length,
        line: first + 1,
      });
    }
  }
  return headings;
};

/** The position of each line. Lines end as the parser has them: CR, LF or both. */
const lineStarts = (text: string): number[] => {
  const starts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n?|\n/g)) {
    starts.push(index + lineEnd.length);
  }
  return starts;
};
