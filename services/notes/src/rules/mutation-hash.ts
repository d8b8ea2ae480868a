import { hash } from 'node:crypto';
import type { NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';

/**
 * What makes a repeated mutation the same request: the note, what is done to it, and what was sent.
 * The base is not part of it: a client may have pulled between two tries.
 */
export const mutationHash = (id: string, fields: NoteFields | null): string => {
  if (fields === null) {
    return hash('sha256', JSON.stringify([id, 'delete']));
  }
  const { title, content, folder, tags, pinned, archived, properties } = fields;
  // Only what a client made up can come in another order.
  const parts = [id, 'put', title, content, folder, tags, pinned, archived];
  return hash('sha256', JSON.stringify([...parts, canonicalJson(properties)]));
};
