import type { NoteFilters } from '../queries/note-filters.ts';

type Filters = Omit<NoteFilters, 'taggedIds'> & { readonly q?: string | undefined };

/**
 * Whether a list is read along the index of its order, or by looking up notes that are known already: what
 * was found, what has a tag. Any other filter may lead to few notes, which are sorted then.
 */
export const isReadInIndexOrder = (filters: Filters): boolean => {
  const { q, tag, folder, pinned, archived, author, conflicts, deleted, updatedSince } = filters;
  const narrowing = [folder || undefined, pinned, archived, author, conflicts, updatedSince];
  const isNarrowed = deleted === 'only' || narrowing.some((filter) => filter !== undefined);
  return q !== undefined || tag.length > 0 || !isNarrowed;
};
