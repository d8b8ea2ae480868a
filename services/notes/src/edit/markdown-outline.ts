import MarkdownIt, { type Token } from 'markdown-it';
import type { Heading, OutlineOf } from './outline.ts';

/** Finds blocks only: what is inside a line is not parsed. */
const parser = new MarkdownIt('commonmark');
parser.core.ruler.enableOnly(['normalize', 'block']);

/**
 * The headings of a CommonMark text, at its top level. Half a MiB can take seconds, so this runs in the worker
 * thread only.
 */
export const markdownOutline: OutlineOf = (text) => {
  const tokens = headingTokens();
  const state = new parser.core.State(text, parser, {});
  state.tokens = tokens;
  parser.core.process(state);
  const starts = lineStarts(text);
  const headings: Heading[] = [];
  for (const [index, { type, map, tag }] of tokens.entries()) {
    if (type === 'heading_open' && map) {
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

/**
 * A list that the parser adds tokens to, and that keeps the headings at the top level, each with its text: all tokens of half a
 * MiB of short lines take 140 MB. No rule of the parser needs the others.
 */
const headingTokens = (): Token[] => {
  const tokens: Token[] = [];
  const keep = tokens.push.bind(tokens);
  tokens.push = (token: Token) => {
    const isHeading = token.type === 'heading_open' && token.level === 0;
    const isItsText = token.type === 'inline' && tokens.at(-1)?.type === 'heading_open';
    return isHeading || isItsText ? keep(token) : tokens.length;
  };
  return tokens;
};

/** The position of each line. Lines end as the parser has them: CR, LF or both. */
const lineStarts = (text: string): number[] => {
  const starts = [0];
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n?|\n/g)) {
    starts.push(index + lineEnd.length);
  }
  return starts;
};
