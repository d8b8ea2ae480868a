import { apiOf } from '../../api/api.ts';
import type { NoteName } from './use-note-change.ts';

/** Restores a deleted note. */
export const restoreNote = ({ companyId, id }: NoteName) =>
  apiOf(companyId).post('/api/notes/{id}/restore', { params: { path: { id } }, body: {} });
