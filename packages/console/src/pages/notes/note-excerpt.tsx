import type { Schema } from '@commonplace/client';
import { ExcerptText } from '../../components/excerpt-text.tsx';

/** What a note begins with or, in a search, the part that matches, with the matched words marked. */
export const NoteExcerpt = ({ note }: { readonly note: Schema<'ListedNote'> }) =>
  note.excerpt === undefined ? note.snippet : <ExcerptText excerpt={note.excerpt} />;
