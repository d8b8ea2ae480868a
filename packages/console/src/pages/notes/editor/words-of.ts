import type { NoteText } from '../note-text.ts';

type Written = { readonly base: Pick<NoteText, 'title'>; readonly text: NoteText };

/** What is copied of a text that cannot be saved: below its title, if that was changed. */
export const wordsOf = ({ base, text: { title, content } }: Written): string =>
  title === base.title ? content : `${title}\n\n${content}`;
