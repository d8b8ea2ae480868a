import { apiOf } from '../../api/api.ts';
import type { NoteName } from './use-note-change.ts';

type DeletedNote = NoteName & {
  /** The revision of a deletion: the note is restored only if it is the last one. */
  readonly deletion?: number;
};

/** Restores a deleted note. */
export const restoreNote = ({ companyId, id, deletion }: DeletedNote) =>
  apiOf(companyId).post('/api/notes/{id}/restore', {
    params: {
      path: { id },
      ...(deletion === undefined ? {} : { header: { 'If-Match': `"${deletion}"` } }),
    },
    body: {},
  });
