import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { nameOfAuthor } from '../../../components/name-of-author.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { BlockLines } from './blocks-in-rows.ts';
import classes from './markdown.module.css';

type Range = Schema<'BlameRange'>;

/** Who wrote the lines of the displayed note. */
export type NoteAuthors = {
  readonly companyId: string;
  readonly noteId: string;
  readonly ranges: readonly Range[];
};

/** The authors that stand beside the displayed text; null: none do. */
export const NoteAuthorsContext = createContext<NoteAuthors | null>(null);

/** Of a piece of a long note: the line where it begins, from 0. */
export const FirstLineContext = createContext(0);

type BlockRowProps = {
  /** The properties of a row, as `blocksInRows` makes it. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly children: React.ReactNode;
};

const shownMax = 3;

/** A block of a note, and who wrote it and when, if that is not what stands beside the block before it. */
export const BlockRow = ({ row, children }: BlockRowProps) => {
  const authors = use(NoteAuthorsContext);
  const firstLine = use(FirstLineContext);
  const lines = row['dataLines'] as BlockLines | undefined;
  const linesBefore = row['dataLinesBefore'] as BlockLines | null | undefined;
  if (!authors || !lines) {
    return <div>{children}</div>;
  }
  const versions = versionsOf(authors.ranges, lines, firstLine);
  const isRepeated =
    linesBefore && keyOf(versionsOf(authors.ranges, linesBefore, firstLine)) === keyOf(versions);
  return (
    <div className={classes['row']}>
      <div>{children}</div>
      <div className={classes['beside']}>
        {!isRepeated &&
          versions
            .slice(0, shownMax)
            .map((range) => <Written key={range.revision} authors={authors} range={range} />)}
        {!isRepeated && versions.length > shownMax && (
          <div>and {versions.length - shownMax} more</div>
        )}
      </div>
    </div>
  );
};

/** The versions that brought lines of a block, the newest first. */
const versionsOf = (
  ranges: readonly Range[],
  { from, to }: BlockLines,
  firstLine: number,
): readonly Range[] => {
  const found = ranges.filter(
    ({ fromLine, toLine }) => fromLine <= to + firstLine && toLine >= from + firstLine,
  );
  return [...new Map(found.map((range) => [range.revision, range])).values()].toSorted(
    (one, other) => other.revision - one.revision,
  );
};

const keyOf = (versions: readonly Range[]): string =>
  versions.map(({ revision }) => revision).join(' ');

type WrittenProps = { readonly authors: NoteAuthors; readonly range: Range };

const Written = ({ authors: { companyId, noteId }, range }: WrittenProps) => {
  const { revision, at, author, atOrBefore } = range;
  return (
    <div>
      <Link
        to="/companies/$companyId/notes/$noteId/history"
        params={{ companyId, noteId }}
        search={{ version: revision }}
        title={`Revision ${revision}`}
        className="mantine-focus-auto"
      >
        {nameOfAuthor(author)}
      </Link>{' '}
      <RelativeTime at={at} />
      {atOrBefore && ' or before'}
    </div>
  );
};
