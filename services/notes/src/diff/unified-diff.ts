import { diffLines, type LineDiff } from './line-diff.ts';
import type { LineChange } from './shortest-edit.ts';

export type UnifiedDiff = {
  readonly text: string;
  /** The text is cut off, or one change covers lines that are equal in both texts. */
  readonly isTruncated: boolean;
};

/** Characters of one diff. */
const diffCharactersMax = 64 * 1024;

/** The hunks of a unified diff, without the two lines that name files. Empty: no difference. */
export const unifiedDiff = (before: string, after: string, context: number): UnifiedDiff => {
  const { changes, isExact, head, tail } = diffLines(before, after);
  const texts = {
    before: linesNear(before, head, context),
    after: linesNear(after, head, context),
    count: tail.linesBefore + linesAtEnd(before, tail.characters, context),
  };
  const parts: string[] = [];
  let left = diffCharactersMax;
  for (const hunk of hunksOf(changes, context)) {
    for (const part of hunkParts(hunk, texts, context)) {
      if (part.length > left) {
        parts.push(part.slice(0, left).replace(/[\ud800-\udbff]$/, ''));
        return { text: parts.join(''), isTruncated: true };
      }
      parts.push(part);
      left -= part.length;
    }
  }
  return { text: parts.join(''), isTruncated: !isExact };
};

/** Groups changes whose context would touch. */
const hunksOf = (changes: readonly LineChange[], context: number): LineChange[][] => {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const previous = hunks.at(-1)?.at(-1);
    const end = previous ? previous.beforeStart + previous.beforeCount : -Infinity;
    if (change.beforeStart - end <= 2 * context) {
      hunks.at(-1)?.push(change);
    } else {
      hunks.push([change]);
    }
  }
  return hunks;
};

/** The lines in the last characters of a text, counted up to `most`. */
const linesAtEnd = (text: string, characters: number, most: number): number => {
  let count = 0;
  for (let at = text.length - characters; at < text.length && count < most; count += 1) {
    const end = text.indexOf('\n', at);
    at = end < 0 ? text.length : end + 1;
  }
  return count;
};

type Lines = {
  /** A line by its index. */
  readonly at: (index: number) => string;
};

/** The lines of a text from the changes on and `context` lines before; finds no more than are read. */
const linesNear = (
  text: string,
  { lines, characters }: LineDiff['head'],
  context: number,
): Lines => {
  const first = Math.max(0, lines - context);
  let start = characters;
  for (let back = lines; back > first; back -= 1) {
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  }
  const starts = [start];
  const startOf = (index: number): number => {
    while (starts.length <= index) {
      const end = text.indexOf('\n', starts.at(-1));
      starts.push(end < 0 ? text.length : end + 1);
    }
    return starts[index] ?? text.length;
  };
  return {
    at: (index) => {
      const end = startOf(index - first + 1);
      return text.slice(startOf(index - first), end);
    },
  };
};

type Texts = {
  readonly before: Lines;
  readonly after: Lines;
  /** Lines of `before`; of the common end, no more than the context shows. */
  readonly count: number;
};

/** The header of a hunk, then its lines. */
function* hunkParts(
  hunk: readonly LineChange[],
  { before, after, count }: Texts,
  context: number,
): Generator<string> {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (!first || !last) {
    return;
  }
  const lead = Math.min(context, first.beforeStart);
  const rest = count - last.beforeStart - last.beforeCount;
  const trail = Math.min(context, rest);
  const start = first.beforeStart - lead;
  const end = last.beforeStart + last.beforeCount + trail;
  const afterStart = first.afterStart - lead;
  const afterEnd = last.afterStart + last.afterCount + trail;
  yield `@@ -${range(start, end - start)} +${range(afterStart, afterEnd - afterStart)} @@\n`;
  let next = start;
  for (const change of hunk) {
    yield* marked(' ', before, next, change.beforeStart - next);
    yield* marked('-', before, change.beforeStart, change.beforeCount);
    yield* marked('+', after, change.afterStart, change.afterCount);
    next = change.beforeStart + change.beforeCount;
  }
  yield* marked(' ', before, next, end - next);
}

/** An empty range is named by the line before it. */
const range = (start: number, count: number): string =>
  `${count === 0 ? start : start + 1},${count}`;

// oxlint-disable-next-line max-params -- a mark and a range of lines
function* marked(mark: string, lines: Lines, start: number, count: number): Generator<string> {
  for (let index = start; index < start + count; index += 1) {
    const line = lines.at(index);
    yield line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`;
  }
}
