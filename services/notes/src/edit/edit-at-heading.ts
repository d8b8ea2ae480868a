import type { TextEdit } from '@commonplace/contracts/notes';
import type { EditFailure } from './edit-result.ts';
import type { Heading } from './outline.ts';

export type HeadingEdit = Extract<TextEdit, { heading: string }>;

/** Applies an edit at the one heading that its path names. */
export const editAtHeading = (
  text: string,
  edit: HeadingEdit,
  outline: readonly Heading[],
): string | EditFailure => {
  const heading = findHeading(edit.heading, outline);
  if ('code' in heading) {
    return heading;
  }
  const [start, end = text.length] = rangeOf(edit, heading, outline);
  return joinLines(text.slice(0, start), edit.text, text.slice(end));
};

/** The range of a section: its heading, and everything below it. */
export const sectionAt = (
  text: string,
  path: string,
  outline: readonly Heading[],
): { readonly start: number; readonly end: number } | EditFailure => {
  const heading = findHeading(path, outline);
  return 'code' in heading
    ? heading
    : { start: heading.start, end: nextSection(heading, outline)?.start ?? text.length };
};

const findHeading = (wanted: string, outline: readonly Heading[]): NamedHeading | EditFailure => {
  const headings = withPaths(outline);
  const named = headings.filter(({ path }) => matchesPath(path, wanted));
  const [heading, ...others] = named;
  return heading && others.length === 0 ? heading : notOne(wanted, heading ? named : headings);
};

/** The next heading of this level or a higher one. */
const nextSection = (heading: Heading, outline: readonly Heading[]): Heading | undefined =>
  outline.find(({ start, level }) => start > heading.start && level <= heading.level);

type NamedHeading = Heading & { readonly path: readonly string[] };

/** The range of the text that the edit replaces; without an end it reaches the end of the text. */
const rangeOf = (
  { op }: HeadingEdit,
  heading: NamedHeading,
  outline: readonly Heading[],
): [start: number, end?: number] => {
  switch (op) {
    case 'insert_before':
      return [heading.start, heading.start];
    case 'insert_after':
      return [heading.end, heading.end];
    case 'replace_section': {
      const next = nextSection(heading, outline);
      return next ? [heading.end, next.start] : [heading.end];
    }
  }
};

/** Each heading with the texts of those above it and its own. */
const withPaths = (outline: readonly Heading[]): NamedHeading[] => {
  const above: Heading[] = [];
  return outline.map((heading) => {
    while ((above.at(-1)?.level ?? 0) >= heading.level) {
      above.pop();
    }
    above.push(heading);
    return { ...heading, path: above.map(({ text }) => text) };
  });
};

/** Whether a path names a heading. The texts of headings may themselves contain slashes. */
const matchesPath = (path: readonly string[], wanted: string): boolean => {
  if (wanted.startsWith('/') && path.join('/') === wanted.slice(1).trim()) {
    return true;
  }
  let suffix = '';
  return path.toReversed().some((text, index) => {
    suffix = index === 0 ? text : `${text}/${suffix}`;
    return suffix === wanted.trim();
  });
};

/** Inserts lines: those before them are terminated, and so are they, unless they end a text that is not. */
const joinLines = (before: string, lines: string, after: string): string => {
  if (lines === '') {
    return before + after;
  }
  const isOpen = before !== '' && !isTerminated(before);
  const needsEnd = !isTerminated(lines) && (after !== '' || !isOpen);
  return `${before}${isOpen ? '\n' : ''}${lines}${needsEnd ? '\n' : ''}${after}`;
};

const isTerminated = (text: string): boolean => /[\r\n]$/.test(text);

const candidatesMax = 20;
const candidateCharactersMax = 200;

const notOne = (wanted: string, among: readonly NamedHeading[]): EditFailure => {
  const isKnown = among.some(({ path }) => matchesPath(path, wanted));
  return {
    code: 'edit_not_applicable',
    detail: isKnown
      ? `${among.length} headings match; name one by its path.`
      : 'No heading matches the path.',
    extensions: {
      candidates: among.slice(0, candidatesMax).map(({ path, line }) => ({
        heading: path.join('/').slice(0, candidateCharactersMax),
        line,
      })),
    },
  };
};
