import type { Schema } from '@commonplace/client';
import { Fragment } from 'react';
import { excerptParts } from './excerpt-parts.ts';

/** What a note begins with or, in a search, the part that matches, with the matched words marked. */
export const NoteExcerpt = ({ note }: { readonly note: Schema<'ListedNote'> }) =>
  note.excerpt === undefined
    ? note.snippet
    : excerptParts(note.excerpt).map(({ text, isMatch, at }) =>
        isMatch ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
      );
