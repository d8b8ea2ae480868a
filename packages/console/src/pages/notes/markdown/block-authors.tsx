import { VisuallyHidden } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { nameOfAuthor } from '../../../components/name-of-author.ts';
import { RelativeTime } from '../../../components/relative-time.tsx';
import type { BlockLines } from './blocks-in-rows.ts';
import { placeLabels } from './place-labels.ts';
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
  const labelled = isRepeated ? [] : versions;
  const tops = placeLabels(
    labelled.slice(0, shownMax + 1).map(({ fromLine }) => fromLine - firstLine - lines.from),
    lines,
  );
  return (
    <div className={classes['row']}>
      <div>{children}</div>
      <div className={classes['beside']} style={styleOf({ '--labels': tops.length })}>
        <Labels authors={authors} versions={labelled} tops={tops} />
      </div>
    </div>
  );
};

const styleOf = (variables: object): React.CSSProperties => variables;

type LabelsProps = {
  readonly authors: NoteAuthors;
  readonly versions: readonly Range[];
  /** Where each begins, the last one that of how many more there are. */
  readonly tops: readonly string[];
};

const Labels = ({ authors, versions, tops }: LabelsProps) => {
  const shown = versions.slice(0, shownMax);
  return (
    <>
      {shown.map((range, index) => (
        <div
          key={range.revision}
          className={classes['label']}
          title={`${nameOfAuthor(range.author)}, revision ${range.revision}`}
          style={styleOf({ '--top': tops[index] })}
        >
          <Written authors={authors} range={range} isOneOfSeveral={isOneOfSeveral(range, shown)} />
        </div>
      ))}
      {versions.length > shownMax && (
        <div className={classes['label']} style={styleOf({ '--top': tops[shownMax] })}>
          and {versions.length - shownMax} more
        </div>
      )}
    </>
  );
};

/** Whether an author wrote several of the versions: then the names alone do not distinguish them. */
const isOneOfSeveral = (range: Range, shown: readonly Range[]): boolean =>
  shown.some(
    ({ author, revision }) =>
      revision !== range.revision && nameOfAuthor(author) === nameOfAuthor(range.author),
  );

/** The versions that brought lines of a block, in the order of these lines. */
const versionsOf = (
  ranges: readonly Range[],
  { from, to }: BlockLines,
  firstLine: number,
): readonly Range[] => {
  const found = ranges.filter(
    ({ fromLine, toLine }) => fromLine <= to + firstLine && toLine >= from + firstLine,
  );
  const first = new Map<number, Range>();
  for (const range of found.toSorted((one, other) => one.fromLine - other.fromLine)) {
    first.set(range.revision, first.get(range.revision) ?? range);
  }
  return [...first.values()];
};

const keyOf = (versions: readonly Range[]): string =>
  versions.map(({ revision }) => revision).join(' ');

type WrittenProps = {
  readonly authors: NoteAuthors;
  readonly range: Range;
  readonly isOneOfSeveral: boolean;
};

const Written = ({ authors: { companyId, noteId }, range, isOneOfSeveral }: WrittenProps) => {
  const { revision, at, author, atOrBefore } = range;
  return (
    <>
      <VisuallyHidden>Written by </VisuallyHidden>
      <Link
        to="/companies/$companyId/notes/$noteId/history"
        params={{ companyId, noteId }}
        search={{ version: revision }}
        title={`Revision ${revision}`}
        className="mantine-focus-auto"
      >
        <bdi>{nameOfAuthor(author)}</bdi>
      </Link>
      {isOneOfSeveral && `, revision ${revision},`} <RelativeTime at={at} />
      {atOrBefore && ' or before'}
    </>
  );
};
