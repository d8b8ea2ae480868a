import type { TextEdit } from '@commonplace/contracts/notes';
import type { EditFailure } from './edit-result.ts';
import type { Heading } from './outline.ts';
import { endOfText, joinLines } from './section-text.ts';

export type HeadingEdit = Extract<TextEdit, { heading: string }>;

/** An edited text, and whether `insert_after` put something before other text of the section. */
export type PlacedText = { readonly text: string; readonly isAmid: boolean };

/** Applies an edit at the one heading that its path names. */
export const editAtHeading = (
  text: string,
  edit: HeadingEdit,
  outline: readonly Heading[],
): PlacedText | EditFailure => {
  const heading = findHeading(edit.heading, outline);
  if ('code' in heading) {
    return heading;
  }
  const section = nextSection(heading, outline)?.start ?? text.length;
  const [start, end] = rangeOf(edit, { text, heading, section });
  const isAmid = edit.op === 'insert_after' && text.slice(end, section).trim() !== '';
  return { text: joinLines(text.slice(0, start), edit.text, text.slice(end)), isAmid };
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
  const isNamed = namedBy(wanted);
  const named = headings.filter(({ path }) => isNamed(path));
  const [heading, ...others] = named;
  return heading && others.length === 0
    ? heading
    : notOne(heading ? named : headings, heading !== undefined);
};

/** The next heading of this level or a higher one. */
const nextSection = (heading: Heading, outline: readonly Heading[]): Heading | undefined =>
  outline.find(({ start, level }) => start > heading.start && level <= heading.level);

type NamedHeading = Heading & { readonly path: readonly string[] };

type Place = {
  readonly text: string;
  readonly heading: Heading;
  /** Where the section ends. */
  readonly section: number;
};

/** The range of the text that the edit replaces. */
const rangeOf = (
  { op }: HeadingEdit,
  { text, heading, section }: Place,
): readonly [start: number, end: number] => {
  switch (op) {
    case 'insert_before':
      return [heading.start, heading.start];
    case 'insert_after':
    case 'prepend_to_section':
      return [heading.end, heading.end];
    case 'append_to_section': {
      const at = endOfText(text, heading.end, section);
      return [at, at];
    }
    case 'replace_section':
      return [heading.end, section];
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
const namedBy = (wanted: string): ((path: readonly string[]) => boolean) => {
  // Trimmed once: it may be as long as a request, and is compared with thousands of headings.
  const fromTop = wanted.startsWith('/') ? wanted.slice(1).trim() : null;
  const trimmed = wanted.trim();
  return (path) => {
    let suffix = '';
    return (
      (fromTop !== null && path.join('/') === fromTop) ||
      path.toReversed().some((text, index) => {
        suffix = index === 0 ? text : `${text}/${suffix}`;
        return suffix === trimmed;
      })
    );
  };
};

const candidatesMax = 20;
const candidateCharactersMax = 200;

const notOne = (among: readonly NamedHeading[], isKnown: boolean): EditFailure => ({
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
});
