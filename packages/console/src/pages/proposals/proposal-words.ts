import type { Schema } from '@commonplace/client';
import { titleText } from '../../components/title-text.ts';

/** The present title of the note, or the proposed one of a new note. */
export const titleOf = ({ title, note }: Pick<Schema<'Proposal'>, 'title' | 'note'>): string =>
  titleText(note?.title ?? title);

/** "1 proposal", "3 proposals". */
export const countOf = (count: number): string =>
  `${count} ${count === 1 ? 'proposal' : 'proposals'}`;
