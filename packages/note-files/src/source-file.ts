import type { NoteText } from '@commonplace/client';
import { safeSegment } from './safe-segment.ts';

/**
 * How the file of a note is written, as far as its fields do not say it. It is stored in the property `sourceFile`, so
 * that the file has the same name and the same bytes on every machine.
 */
export type SourceFile = {
  /** The name without `.md`, if it is not that of the title. */
  readonly name?: string;
  /** The front matter with its two lines `---`, if it is not written as we would. */
  readonly frontMatter?: string;
};

/** The name of the property. */
const sourceFileKey = 'sourceFile';

/** Returns how a note is written, and its other properties. A property of another form is the user's own. */
export const splitSourceFile = (
  text: NoteText,
): { readonly plain: NoteText; readonly source: SourceFile } => {
  const { [sourceFileKey]: source, ...properties } = text.properties;
  return isSourceFile(source)
    ? { plain: { ...text, properties }, source }
    : { plain: text, source: {} };
};

/** Adds how a note is written to its properties. */
export const withSourceFile = (plain: NoteText, source: SourceFile): NoteText =>
  Object.keys(source).length === 0
    ? plain
    : { ...plain, properties: { ...plain.properties, [sourceFileKey]: source } };

const isSourceFile = (value: unknown): value is SourceFile =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([key, entry]) => ['name', 'frontMatter'].includes(key) && typeof entry === 'string',
  );

/** Returns the name of a note's file, without suffixes. */
export const fileNameOf = (text: NoteText): string =>
  safeSegment(splitSourceFile(text).source.name ?? text.title);
