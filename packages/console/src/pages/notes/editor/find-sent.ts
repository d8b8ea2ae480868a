import { apiOf } from '../../../api/api.ts';
import { isNotFound } from '../../../api/problems.ts';
import { changedFields, textOf, type NoteText } from '../note-text.ts';
import type { EditBase, Note } from './use-draft-start.ts';

type Search = {
  /** What was sent to be saved over the base. */
  readonly sent: readonly NoteText[];
  readonly base: EditBase;
  readonly newest: Note;
};

/**
 * The version that an attempt to save has stored although its response never came, if one has: what is written is based on it, and it
 * is nobody else's. Only the revisions right after the base can be one: a save over the base is refused once there is another.
 */
export const findSent = async ({ sent, base, newest }: Search): Promise<Note | null> => {
  let found: Note | null = null;
  for (let next = base.revision + 1; sent.length > 0 && next <= newest.revision; next += 1) {
    const stored = next === newest.revision ? textOf(newest) : await readText(newest, next);
    if (!stored || !sent.some((text) => changedFields(text, stored).length === 0)) {
      break;
    }
    found = { ...newest, ...stored, revision: next };
  }
  return found;
};

/** The text of an earlier revision; null if it is a deletion, or is not kept any more. */
const readText = async ({ companyId, id }: Note, revision: number): Promise<NoteText | null> => {
  try {
    const { data } = await apiOf(companyId).get('/api/notes/{id}/revisions/{revision}', {
      params: { path: { id, revision } },
    });
    return data.deleted ? null : textOf(data);
  } catch (error) {
    if (isNotFound(error)) {
      return null;
    }
    throw error;
  }
};
