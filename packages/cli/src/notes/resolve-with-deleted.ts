import { ProblemError, type ApiClient } from '@commonplace/client';
import { CommandFailure } from '../errors.ts';
import {
  listByTitle,
  onlyOne,
  titlesIncomplete,
  resolveNote,
  splitPath,
  type FoundNote,
} from './resolve-note.ts';

/** Returns the id of the note that a person names; where no active note has the name, of the deleted one that had it. */
export const resolveWithDeleted = async (api: ApiClient, name: string): Promise<string> => {
  try {
    return await resolveNote(api, name);
  } catch (error) {
    const deleted = isMissing(error) ? await findDeleted(api, name) : [];
    if (deleted.length === 0) {
      throw error;
    }
    return onlyOne(name, deleted).id;
  }
};

const isMissing = (error: unknown): boolean =>
  (error instanceof CommandFailure || error instanceof ProblemError) &&
  (error.code === 'not_found' || error.code === 'note_deleted');

/** The deleted notes of a folder and title, or of a title in any folder. */
const findDeleted = async (api: ApiClient, name: string): Promise<readonly FoundNote[]> => {
  const { folder, title } = splitPath(name);
  const ofTitle = await listDeleted(api, title);
  if (folder === '') {
    return ofTitle;
  }
  const ofPath = ofTitle.filter((note) => note.folder === folder);
  // A title may have a slash.
  return ofPath.length > 0 ? ofPath : listDeleted(api, name);
};

const listDeleted = async (api: ApiClient, title: string): Promise<readonly FoundNote[]> => {
  const { former, isComplete } = await listByTitle(api, title);
  // An active note that has the title may be missing.
  if (!isComplete) {
    throw titlesIncomplete(title);
  }
  return former.filter(({ deleted }) => deleted);
};
