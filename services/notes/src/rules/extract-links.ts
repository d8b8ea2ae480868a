import { linkedTitle } from './linked-title.ts';

/** A link of a note to another one, by id or by title. */
export type NoteLink = {
  readonly targetId: string | null;
  /** The title as written; null for a link by id. */
  readonly title: string | null;
  /** The title as links compare it. */
  readonly linkedTitle: string | null;
  /** Where the link starts in the content, in Unicode characters. */
  readonly charOffset: number;
};

/** More links of one note are not indexed. */
const linksMax = 500;

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const isUuid = new RegExp(`^${uuid}$`, 'i');
/**
 * `[[Title]]`, `[[Title|text]]`, in tables `[[Title\|text]]`, and `[[id]]`. Bounded, so that a text full of brackets
 * costs linear time.
 */
const wikiLink = /\[\[([^[\]|\n]{0,499}[^[\]|\\\n])(?:\\?\|[^[\]\n]{0,500})?\]\]/y;
/** The end of `[text](/notes/{id})`, from its closing bracket. */
const markdownLink = new RegExp(
  `\\]\\(<?/notes/(${uuid})(?:[?#][^\\s)>]{0,200})?>?(?:\\s"[^"\\n]{0,200}")?\\)`,
  'iy',
);

/**
 * The links of a Markdown text to other notes, each target once, outside code. Takes linear time: a CommonMark
 * parser takes seconds for some texts of this size, and a note may be written by anybody in the company.
 */
export const extractLinks = (content: string): NoteLink[] => {
  if (
    !content.includes('[[') &&
    !content.includes('](/notes/') &&
    !content.includes('](</notes/')
  ) {
    return [];
  }
  const links = new Map<string, NoteLink>();
  const charsUpTo = characterCounter(content);
  const seen = new Set<string>();
  for (const { target, at } of linksIn(content)) {
    if (seen.has(target)) {
      continue;
    }
    seen.add(target);
    const link = linkTo(target, charsUpTo(at));
    // PostgreSQL knows more spellings of a title than this, and stores the first.
    const key = link && (link.targetId ?? `title ${link.linkedTitle?.toLowerCase()}`);
    if (link && key && !links.has(key)) {
      links.set(key, link);
    }
    if (links.size === linksMax) {
      break;
    }
  }
  return [...links.values()];
};

const linkTo = (target: string, charOffset: number): NoteLink | null => {
  const title = target.trim();
  if (isUuid.test(title)) {
    return { targetId: title.toLowerCase(), title: null, linkedTitle: null, charOffset };
  }
  return title === ''
    ? null
    : { targetId: null, title, linkedTitle: linkedTitle(title), charOffset };
};

/** Counts characters up to an index of the text; the indexes must ascend. */
const characterCounter = (text: string): ((index: number) => number) => {
  let index = 0;
  let characters = 0;
  return (upTo) => {
    for (; index < upTo; index += 1) {
      const unit = text.charCodeAt(index);
      characters += unit >= 0xdc00 && unit <= 0xdfff ? 0 : 1;
    }
    return characters;
  };
};

type Span = { readonly start: number; readonly end: number };

const fenceStart = /^(?:[ \t]*>)*[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const listItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const indentedCode = /^(?: {4}|\t)/;

/** The paragraphs of a text: runs of lines that are neither blank nor code. */
function* proseOf(content: string): Generator<Span, void> {
  let fence: string | null = null;
  let isInList = false;
  let isAfterBlank = true;
  let paragraph: number | null = null;
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf('\n', start);
    const end = newline < 0 ? content.length : newline;
    // What decides stands at the beginning of a line, except that a fence of backticks holds no other.
    const line = content.slice(start, Math.min(end, start + lineHeadMax));
    const isBlank = line.trim() === '';
    const opens: string | null = fence === null ? (fenceStart.exec(line)?.[1] ?? null) : null;
    const isIndented: boolean = isAfterBlank && !isInList && indentedCode.test(line);
    if (fence === null && opens === null && !isBlank && !isIndented) {
      paragraph ??= start;
      isInList = listItem.test(line) || (isInList && (!isAfterBlank || /^[ \t]/.test(line)));
    } else if (paragraph !== null) {
      yield { start: paragraph, end: start };
      paragraph = null;
    }
    fence = opens ?? (fence !== null && closes(line, fence) ? null : fence);
    isAfterBlank = isBlank || (isAfterBlank && isIndented);
    start = end + 1;
  }
  if (paragraph !== null) {
    yield { start: paragraph, end: content.length };
  }
}

const lineHeadMax = 1_000;

/** Whether a line closes a fence: at least as many of its marks, and nothing else. */
const closes = (line: string, fence: string): boolean => {
  const marks = line.replace(/^[ \t>]*/, '').trimEnd();
  return marks.length >= fence.length && marks === (fence[0] ?? '').repeat(marks.length);
};

/** A link in a text: where it starts, and its target as written. */
type Found = { readonly target: string; readonly at: number };

/** The links of a text outside code, in order. */
export function* linksIn(content: string): Generator<Found, void> {
  for (const { start, end } of proseOf(content)) {
    yield* scan(content, start, end);
  }
}

/** The link targets of one paragraph, outside code spans and not escaped. */
function* scan(content: string, start: number, end: number): Generator<Found, void> {
  const closing = backtickRuns(content, start, end);
  for (let at = start; at < end; at += 1) {
    const sign = content[at];
    if (sign === '\\') {
      at += 1;
    } else if (sign === '`') {
      at = closing.get(at) ?? at;
    } else if (sign === '[' || sign === ']') {
      const pattern = sign === '[' ? wikiLink : markdownLink;
      pattern.lastIndex = at;
      const match = pattern.exec(content);
      if (match?.[1] !== undefined && at + match[0].length <= end) {
        yield { target: match[1], at };
        at += match[0].length - 1;
      }
    }
  }
}

/**
 * For the start of each run of backticks, where to go on after it: the end of the code span that it opens, or of
 * the run itself if no run of the same length follows.
 */
const backtickRuns = (content: string, start: number, end: number): Map<number, number> => {
  // Of the paragraph alone: looking on to the end of the content from each paragraph would take quadratic time.
  const runs = [...content.slice(start, end).matchAll(/`+/g)].map(({ index, 0: marks }) => ({
    start: start + index,
    end: start + index + marks.length,
  }));
  const after = new Map<number, number>();
  const nextOfLength = new Map<number, Span>();
  for (const run of runs.toReversed()) {
    const length = run.end - run.start;
    after.set(run.start, (nextOfLength.get(length)?.end ?? run.end) - 1);
    nextOfLength.set(length, run);
  }
  return after;
};
