import { Fragment } from 'react';
import { excerptParts } from './excerpt-parts.ts';
import { withoutMarks } from './without-marks.ts';

/** The excerpt of a search result, with the matched words marked. */
export const ExcerptText = ({ excerpt }: { readonly excerpt: string }) =>
  excerptParts(withoutMarks(excerpt)).map(({ text, isMatch, at }) =>
    isMatch ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
  );
