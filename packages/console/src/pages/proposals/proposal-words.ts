import type { Schema } from '@commonplace/client';

/** A note is called as it is now, and a new one as it would be. */
export const titleOf = ({ title, note }: Pick<Schema<'Proposal'>, 'title' | 'note'>): string => {
  const name = note?.title ?? title;
  return name === '' ? 'Untitled' : name;
};

/** "1 proposal", "3 proposals". */
export const countOf = (count: number): string =>
  `${count} ${count === 1 ? 'proposal' : 'proposals'}`;
