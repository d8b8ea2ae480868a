import { hash } from 'node:crypto';
import type { IfTitleExists, NoteEdit, NoteFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';

/**
 * Identifies a repeated mutation as the same request: covers the note id, the operation and the fields.
 * Leaves out the base: a client may have pulled between two attempts.
 */
export const mutationHash = (id: string, fields: NoteFields | null): string => {
  if (fields === null) {
    return hash('sha256', JSON.stringify([id, 'delete']));
  }
  const { title, content, folder, tags, pinned, archived, properties } = fields;
  // Only the keys of `properties` can come in another order.
  const parts = [id, 'put', title, content, folder, tags, pinned, archived];
  return hash('sha256', JSON.stringify([...parts, canonicalJson(properties)]));
};

/** As `mutationHash`, of an edit. Leaves out the precondition: a retry repeats the edit, not the read before it. */
export const editHash = (id: string, edits: readonly NoteEdit[]): string =>
  hashOfJson([id, 'edit', edits]);

/** As `mutationHash`, of a creation. Its id is chosen for each attempt. */
export const createHash = (fields: NoteFields, ifTitleExists: IfTitleExists): string =>
  mutationHash(`create ${ifTitleExists}`, fields);

/** As `mutationHash`, of a restore. */
export const restoreHash = (id: string, revision: number | null): string =>
  hash('sha256', JSON.stringify([id, 'restore', revision]));

/** Equal for values that differ only in the order of their keys. */
export const hashOfJson = (value: unknown): string => hash('sha256', canonicalJson(value));
