import { hash } from 'node:crypto';
import type { NoteFields } from '@commonplace/contracts';
import { canonicalJson } from '../merge/canonical-json.ts';

/**
 * What makes a repeated mutation the same request: the note, what is done to it, and what was sent.
 * The base is not part of it: a client may have pulled between two tries.
 */
export const mutationHash = (id: string, fields: NoteFields | null): string =>
  hash('sha256', canonicalJson([id, fields === null ? 'delete' : 'put', fields]));
