import type { Schema } from '../api-client.ts';
import { isNoteId } from './note-id.ts';

/** The API allows 8 MiB; the rest of a request is small. */
const requestBytesMax = 8 * 1024 * 1024 - 16 * 1024;
/** The API allows 256 levels of a request, and 32 of properties. */
const levelsMax = 128;

/**
 * Why the server would refuse any request with these changes of one note; null if it would not. They are rejected here,
 * because such a request would stop all others.
 */
export const whyUnsendable = (
  changes: readonly Schema<'SyncChange'>[],
  bytes: number,
): NonNullable<Schema<'SyncChangeResult'>['error']> | null => {
  if (changes.some(({ id }) => !isNoteId(id))) {
    return { code: 'validation_failed', detail: 'The id of the note is not a UUID in lower case.' };
  }
  if (bytes > requestBytesMax) {
    const detail = `The change has ${bytes} bytes, and a request at most ${requestBytesMax}.`;
    return { code: 'body_too_large', detail };
  }
  return changes.some((change) => 'note' in change && isDeeper(change.note.properties, levelsMax))
    ? { code: 'validation_failed', detail: 'The properties are nested too deep.' }
    : null;
};

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));
