import { noteInput, noteLimits } from '@commonplace/contracts/notes';
import { fieldErrors } from '@commonplace/http';
import { rejected } from '../rules/decision.ts';
import type { Outcome, UnparsedPut, SyncPutChange } from './change.ts';
import { rejectionOf } from './rejection-of.ts';

/** Validates a put. Returns the parsed change, or a rejected outcome. */
export type ParsePut = (put: UnparsedPut) => SyncPutChange | Outcome;

/** Validates the note of a put. An invalid note rejects this change only. */
export const parsePut: ParsePut = ({ note, ...put }) => {
  const parsed = noteInput.safeParse(withBoundedTags(note));
  return parsed.success
    ? { ...put, rule: 'sync_put', fields: parsed.data }
    : invalid(fieldErrors(parsed.error.issues));
};

/** zod validates every tag before it counts them, which takes seconds for millions; one above the limit is enough. */
const withBoundedTags = (note: unknown): unknown => {
  const tags = note && typeof note === 'object' && 'tags' in note ? note.tags : null;
  return Array.isArray(tags) && tags.length > noteLimits.tagsMax
    ? { ...(note as object), tags: tags.slice(0, noteLimits.tagsMax + 1) }
    : note;
};

/**
 * Creates a parser that validates each put once: a merge is prepared before its change is decided, and a
 * transaction may be retried.
 */
export const createPutParser = (): ParsePut => {
  const known = new Map<UnparsedPut, SyncPutChange | Outcome>();
  return (put) => {
    const parsed = known.get(put) ?? parsePut(put);
    known.set(put, parsed);
    return parsed;
  };
};

const invalid = (errors: readonly { readonly path: string; readonly message: string }[]): Outcome =>
  rejectionOf(
    rejected(
      'validation_failed',
      errors
        .slice(0, 5)
        .map(({ path, message }) => `${path || 'note'}: ${message}`)
        .join('; '),
    ),
  );
