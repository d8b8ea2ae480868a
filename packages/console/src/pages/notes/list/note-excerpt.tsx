import type { Schema } from '@commonplace/client';
import { Link } from '@tanstack/react-router';
import { ExcerptText } from '../../../components/excerpt-text.tsx';
import { describePlace, placeOfPassage } from '../../../api/passage-place.ts';
import { withoutMarks } from '../../../components/without-marks.ts';
import classes from './note-list.module.css';

type NoteExcerptProps = { readonly note: Schema<'ListedNote'> };

/**
 * Two lines of what a note begins with or, in a search, of the part that matches, with the matched words marked. Below it, the
 * places in the note, at which it opens.
 */
export const NoteExcerpt = ({ note }: NoteExcerptProps) => {
  const { id, companyId, snippet, excerpt, passages = [] } = note;
  return (
    <>
      <span className={classes['excerpt']}>
        {excerpt === undefined ? withoutMarks(snippet) : <ExcerptText excerpt={excerpt} />}
      </span>
      {passages.length > 0 && (
        <span className={classes['places']}>
          {passages.map((passage) => (
            <Link
              key={passage.fromLine}
              to="/companies/$companyId/notes/$noteId"
              params={{ companyId, noteId: id }}
              search={placeOfPassage(passage)}
              title={describePlace(passage)}
              className={`text-link one-line mantine-focus-auto ${classes['link']}`}
            >
              {describePlace(passage)}
            </Link>
          ))}
        </span>
      )}
    </>
  );
};
