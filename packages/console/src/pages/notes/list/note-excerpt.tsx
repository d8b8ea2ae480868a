import { Text } from '@mantine/core';
import type { Schema } from '@commonplace/client';
import { ExcerptText } from '../../../components/excerpt-text.tsx';
import { withoutMarks } from '../../../components/without-marks.ts';

/** What a note begins with or, in a search, the part that matches, with the matched words marked and the lines. */
export const NoteExcerpt = ({ note }: { readonly note: Schema<'ListedNote'> }) =>
  note.excerpt === undefined ? (
    withoutMarks(note.snippet)
  ) : (
    <>
      <ExcerptText excerpt={note.excerpt} />
      {note.passages && note.passages.length > 0 && (
        <Text span size="xs" c="dimmed">
          {' '}
          {note.passages.map(placeOf).join(' · ')}
        </Text>
      )}
    </>
  );

/** The lines of a passage and the heading above it. */
const placeOf = ({ fromLine, toLine, headings }: Schema<'NotePassage'>): string => {
  const lines = fromLine === toLine ? `line ${fromLine}` : `lines ${fromLine}–${toLine}`;
  const heading = headings.at(-1);
  return heading === undefined ? lines : `${lines}, ${heading}`;
};
