import { useQuery } from '@tanstack/react-query';
import { conflictCopiesQuery } from '../../api/note-queries.ts';
import type { NoteName } from './use-note-change.ts';

/** What becomes of the conflict copies of notes that are deleted: each is another text, which nobody has decided about. */
export const copiesLeft = (count: number): string =>
  count === 0
    ? ''
    : ` ${count === 1 ? 'One conflict copy stays' : `${count} conflict copies stay`} in the list, with the text that was not merged.`;

/** The same of one note. */
export const CopiesLeft = ({ note: { companyId, id } }: { readonly note: NoteName }) => {
  const { data: copies = [] } = useQuery(conflictCopiesQuery(companyId, id));
  return copiesLeft(copies.length);
};
