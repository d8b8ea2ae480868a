import type { NoteFilters } from '../queries/note-filters.ts';

/**
 * Whether a list is read along the index of its order. Filters other than for tags may lead to few notes,
 * which are sorted then; what is known of tags and searches is seen when they are looked up.
 */
export const isReadInIndexOrder = (filters: Omit<NoteFilters, 'taggedIds' | 'tag'>): boolean => {
  const { folder, pinned, archived, author, conflicts, deleted, updatedSince } = filters;
  const narrowing = [folder || undefined, pinned, archived, author, conflicts, updatedSince];
  return deleted !== 'only' && narrowing.every((filter) => filter === undefined);
};
