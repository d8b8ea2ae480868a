/** Puts lines between two parts of a text: each starts on a line of its own, and none is joined with another by Markdown. */
export const joinLines = (before: string, lines: string, after: string): string => {
  if (lines === '') {
    return before + after;
  }
  const isOpen = before !== '' && !isTerminated(before);
  const needsEnd = !isTerminated(lines) && (after !== '' || !isOpen);
  const above = wouldJoin(lastLine(before), firstLine(lines)) ? '\n' : '';
  const below = wouldJoin(lastLine(lines), firstLine(after)) ? '\n' : '';
  return `${before}${isOpen ? '\n' : ''}${above}${lines}${needsEnd ? '\n' : ''}${below}${after}`;
};

export const isTerminated = (text: string): boolean => /[\r\n]$/.test(text.slice(-1));

/** The position after the last line of a range that is not blank. */
export const endOfText = (text: string, start: number, end: number): number => {
  const used = start + text.slice(start, end).trimEnd().length;
  if (used === start) {
    return start;
  }
  const lineEnd = /\r\n?|\n/g;
  lineEnd.lastIndex = used;
  const found = lineEnd.exec(text);
  return found ? Math.min(end, found.index + found[0].length) : end;
};

/**
 * Whether Markdown would read two lines as one block: the second continues the paragraph of the first, or underlines it,
 * which makes it a heading. Where this is in doubt, the result is yes: a blank line does no harm.
 */
const wouldJoin = (above: string, below: string): boolean =>
  above.trim() !== '' &&
  below.trim() !== '' &&
  !endsBlock(above) &&
  !(isTableRow(above) && isTableRow(below)) &&
  !(isListItem(above) && isListItem(below)) &&
  !startsBlock(below);

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const fence = /^ {0,3}(?:`{3}|~{3})/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const quotation = /^ {0,3}>/;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S/;
/** What may follow a paragraph without a blank line. */
const interruptingItem = /^ {0,3}(?:[-*+]|1[.)])[ \t]+\S/;

const isTableRow = (line: string): boolean => /^ {0,3}\|/.test(line);
const isListItem = (line: string): boolean => listItem.test(line);

const endsBlock = (line: string): boolean =>
  heading.test(line) ||
  fence.test(line) ||
  underline.test(line) ||
  rule.test(line) ||
  line.trimEnd().endsWith('-->');

const startsBlock = (line: string): boolean =>
  heading.test(line) ||
  fence.test(line) ||
  quotation.test(line) ||
  interruptingItem.test(line) ||
  (rule.test(line) && !underline.test(line));

const firstLine = (text: string): string => {
  const end = text.search(/[\r\n]/);
  return end < 0 ? text : text.slice(0, end);
};

/** The last line, whether it is terminated or not. */
const lastLine = (text: string): string => {
  const end = text.endsWith('\r\n') ? text.length - 2 : text.length - (isTerminated(text) ? 1 : 0);
  const start = Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) + 1;
  return end <= 0 ? '' : text.slice(start, end);
};
