import type { Schema } from '@commonplace/client';
import { ExcerptText } from '../../../components/excerpt-text.tsx';
import { withoutMarks } from '../../../components/without-marks.ts';
import classes from './note-list.module.css';

type NoteExcerptProps = { readonly note: Schema<'ListedNote'> };

/**
 * Two lines of what a note begins with or, in a search, of the part that matches, with the matched words marked. Below it, the
 * lines in the note.
 */
export const NoteExcerpt = ({ note: { snippet, excerpt, passages } }: NoteExcerptProps) => {
  const places = passages?.map(placeOf).join(' · ') ?? '';
  return (
    <>
      <span className={classes['excerpt']}>
        {excerpt === undefined ? withoutMarks(snippet) : <ExcerptText excerpt={excerpt} />}
      </span>
      {places !== '' && (
        <span className={`one-line ${classes['places']}`} title={places}>
          {places}
        </span>
      )}
    </>
  );
};

/** The lines of a passage and the heading above it. */
const placeOf = ({ fromLine, toLine, headings }: Schema<'NotePassage'>): string => {
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine}–${toLine}`;
  const heading = headings.at(-1);
  return heading === undefined ? lines : `${lines}, ${heading}`;
};
