import type { PassagePlace } from '../../../api/passage-place.ts';
import { fenceAfter } from '../markdown/split-markdown.ts';

/** Lines of a text, from 1. */
export type LineRange = { readonly from: number; readonly to: number };

type Heading = { readonly line: number; readonly text: string };

const headingLine = /^ {0,3}#{1,6}[ \t]+(.*)$/;

/** Headings in an address are cut to so many UTF-16 units. */
const headingMax = 120;

/**
 * The lines of a text that an address means. The text may be another one by now: where they do not stand below their
 * heading, it is the nearest one of that name.
 */
export const lineInText = (
  text: string,
  { line = 1, toLine = line, under }: PassagePlace,
): LineRange => {
  const lines = text.split('\n');
  const from = Math.min(line, lines.length);
  const asWritten = { from, to: Math.max(from, Math.min(toLine, lines.length)) };
  const headings = under === undefined ? [] : headingsOf(lines);
  const above = headings.findLast((heading) => heading.line <= from);
  const named = headings.filter((heading) => heading.text === under);
  if (named.length === 0 || above?.text === under) {
    return asWritten;
  }
  const [nearest = named[0]] = named.toSorted(
    (one, other) => Math.abs(one.line - from) - Math.abs(other.line - from),
  );
  return nearest ? { from: nearest.line, to: nearest.line } : asWritten;
};

const headingsOf = (lines: readonly string[]): readonly Heading[] => {
  const headings: Heading[] = [];
  let open: string | null = null;
  for (const [index, line] of lines.entries()) {
    const match = open === null ? headingLine.exec(line.slice(0, 1_000)) : null;
    if (match) {
      const text = (match[1] ?? '').replace(/\s+#+\s*$/, '').trim();
      headings.push({ line: index + 1, text: text.slice(0, headingMax) });
    }
    open = fenceAfter(line, open);
  }
  return headings;
};
