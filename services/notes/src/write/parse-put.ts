import { noteInput, noteLimits } from '@commonplace/contracts/notes';
import { fieldErrors } from '@commonplace/http';
import type { Outcome, UnparsedPut, SyncPutChange } from './change.ts';

/** What a put turned out to be; an outcome: it is rejected for what is in its note. */
export type ParsePut = (put: UnparsedPut) => SyncPutChange | Outcome;

/** Looks into a note. What is wrong in there rejects this change, and holds up no other. */
export const parsePut: ParsePut = ({ note, ...put }) => {
  const parsed = noteInput.safeParse(withBoundedTags(note));
  return parsed.success
    ? { ...put, rule: 'sync_put', fields: parsed.data }
    : invalid(fieldErrors(parsed.error.issues));
};

/** Tags are looked at before they are counted, and millions of bad ones take seconds: one too many is enough. */
const withBoundedTags = (note: unknown): unknown => {
  const tags = note && typeof note === 'object' && 'tags' in note ? note.tags : null;
  return Array.isArray(tags) && tags.length > noteLimits.tagsMax
    ? { ...(note as object), tags: tags.slice(0, noteLimits.tagsMax + 1) }
    : note;
};

/**
 * Makes a reader that looks into each note once: a merge is prepared before its change is decided, and a
 * transaction may be tried again.
 */
export const createPutParser = (): ParsePut => {
  const known = new Map<UnparsedPut, SyncPutChange | Outcome>();
  return (put) => {
    const reading = known.get(put) ?? parsePut(put);
    known.set(put, reading);
    return reading;
  };
};

const invalid = (
  errors: readonly { readonly path: string; readonly message: string }[],
): Outcome => ({
  status: 'rejected',
  revision: null,
  note: null,
  wasActive: false,
  conflictNoteId: null,
  isReplay: false,
  error: {
    code: 'validation_failed',
    detail: errors
      .slice(0, 5)
      .map(({ path, message }) => `${path || 'note'}: ${message}`)
      .join('; '),
  },
});
