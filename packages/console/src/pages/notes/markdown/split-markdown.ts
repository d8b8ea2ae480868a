/** A part of a text in Markdown that can be rendered by itself. */
export type MarkdownPiece = {
  readonly text: string;
  /** The line of the whole text where it begins, from 0, as the parser counts lines. */
  readonly firstLine: number;
};

type Bounds = { readonly charactersMin: number; readonly charactersMax: number };

/** About two screens; a text without places to cut has longer ones. */
const usual: Bounds = { charactersMin: 6_000, charactersMax: 24_000 };

/** Also as the first line of an item. Code within a line begins as a fence does, and has more such signs behind it. */
const fence = /^(?: {0,3}|[-*+] |\d[.)] )(`{3,}(?=[^`]*$)|~{3,})/;
const definition = /^ {0,3}\[[^\]]+\]:\s*\S/;
const definitionTitle = /^\s*["'(]/;
const headingOrRule = /^ {0,3}(?:#{1,6}\s|(?:[-=*_]\s*)+$)/;
const indentedCode = /^(?: {4}|\t)/;
const listItem = /^(?:[-*+]|\d{1,9}[.)])\s/;

const definitionsMax = 500;

/**
 * Cuts a text where blocks begin: at headings and after empty lines, never within a code block, and within a list or a table only
 * if it is long. What links refer to by name is repeated in every piece.
 */
export const splitMarkdown = (text: string, bounds: Bounds = usual): readonly MarkdownPiece[] => {
  const lines = text.split('\n');
  const starts = startsOf(lines, bounds);
  const { definitions, closing } = readDefinitions(lines);
  const suffix = definitions.length === 0 ? '' : `\n\n${definitions.join('\n')}`;
  let further = 0;
  return starts.map((start, index) => {
    const own = lines.slice(start, starts[index + 1] ?? lines.length);
    const firstLine = start + further;
    further += own.reduce((count, line) => count + countLoneReturns(line), 0);
    const isLast = index === starts.length - 1;
    return { text: own.join('\n') + (isLast && suffix ? closing : '') + suffix, firstLine };
  });
};

/** What links refer to, as far as it is no code and no part of a paragraph, and the line that closes a code block which nothing closes. */
const readDefinitions = (lines: readonly string[]) => {
  const definitions: string[] = [];
  let open: string | null = null;
  let closing = '';
  let [isBetween, isBehindDefinition] = [true, false];
  for (const line of lines) {
    const next = fenceAfter(line, open);
    const isCode = open !== null || next !== null;
    const isDefinition = !isCode && isBetween && definition.test(line);
    if (isDefinition) {
      definitions.push(line);
    }
    if (open === null && next !== null) {
      closing = `\n${' '.repeat(line.indexOf(next))}${next}`;
    }
    isBetween =
      isCode ||
      isDefinition ||
      line.trim() === '' ||
      headingOrRule.test(line) ||
      line.trimEnd().endsWith('-->') ||
      (isBetween && indentedCode.test(line)) ||
      (isBehindDefinition && definitionTitle.test(line));
    isBehindDefinition = isDefinition;
    open = next;
  }
  return {
    definitions: definitions.slice(0, definitionsMax),
    closing: open === null ? '' : closing,
  };
};

/** Carriage returns without a line feed, which end lines for the parser too. */
const countLoneReturns = (line: string): number => line.match(/\r(?!$)/g)?.length ?? 0;

/** The lines where pieces begin. */
const startsOf = (
  lines: readonly string[],
  { charactersMin, charactersMax }: Bounds,
): readonly number[] => {
  const starts = [0];
  let characters = 0;
  let open: string | null = null;
  let isAfterEmpty = false;
  for (const [index, line] of lines.entries()) {
    const isCut =
      open === null &&
      characters >= charactersMin &&
      (line.startsWith('#') ||
        (isAfterEmpty && beginsBlock(line)) ||
        (characters >= charactersMax && mayCut(line)));
    if (isCut) {
      starts.push(index);
      characters = 0;
    }
    characters += line.length + 1;
    open = fenceAfter(line, open);
    isAfterEmpty = line.trim() === '';
  }
  return starts;
};

/** Indented lines may belong to an item above, and items to its list. */
const beginsBlock = (line: string): boolean =>
  line !== '' && !/^\s/.test(line) && !listItem.test(line);

/** Within a long list, between two items; within a long paragraph, between two lines. Rows of a table belong together. */
const mayCut = (line: string): boolean => line !== '' && !/^[\s|>]/.test(line);

/** The fence that is open after a line; null: none. */
export const fenceAfter = (line: string, open: string | null): string | null => {
  const mark = fence.exec(line)?.[1];
  if (mark === undefined) {
    return open;
  }
  if (open === null) {
    return mark;
  }
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark;
  return closes ? null : open;
};
