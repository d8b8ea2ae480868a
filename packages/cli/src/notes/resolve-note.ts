import { ProblemError, type ApiClient, type Schema } from '@commonplace/client';
import { CommandFailure, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';

export type FoundNote = Pick<Schema<'NoteOrSummary'>, 'id' | 'title' | 'folder' | 'revision'>;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a name of a note is its id. */
export const isNoteId = (name: string): boolean => uuid.test(name);

/** Splits `folder/title`. */
export const splitPath = (path: string): { readonly folder: string; readonly title: string } => {
  const end = path.lastIndexOf('/');
  return { folder: path.slice(0, Math.max(0, end)), title: path.slice(end + 1) };
};

/**
 * Refuses a name without a title, as that of a variable that is not set, or `log/`: a note without a title has none, so
 * another one than the caller means would be read or changed. Throws a UsageError.
 */
export const assertNamed = (name: string): void => {
  if (splitPath(name).title === '') {
    throw new UsageError([`the note has no name: give it as folder/title, not as "${name}"`]);
  }
};

/** Formats a note as `folder/title`; a note without a title by its id. */
export const pathOf = ({ folder, title, id }: Omit<FoundNote, 'revision'>): string =>
  title === '' ? id : folder === '' ? title : `${folder}/${title}`;

/**
 * Returns the id of the note that a person names: by its id, as `folder/title`, or by a title that only one
 * note has. Throws a UsageError for an empty name, and a ProblemError or a CommandFailure if there is no such note, or several.
 */
export const resolveNote = async (api: ApiClient, name: string): Promise<string> => {
  assertNamed(name);
  if (isNoteId(name)) {
    return name.toLowerCase();
  }
  const place = splitPath(name);
  const found =
    (await findByPath(api, place)) ??
    // A title may have a slash.
    (place.folder === '' ? null : await findByPath(api, { folder: '', title: name }));
  return found?.id ?? (await findByTitle(api, name)).id;
};

type Place = { readonly folder: string; readonly title: string };

const findByPath = async (api: ApiClient, query: Place): Promise<FoundNote | null> => {
  try {
    return (await api.get('/api/notes/by-path', { params: { query } })).data;
  } catch (error) {
    // 400: the part before the slash cannot be a folder.
    if (
      error instanceof ProblemError &&
      ([400, 404].includes(error.status) || isTitle(query, error))
    ) {
      return null;
    }
    throw error;
  }
};

/** A caller that does not reach notes without a folder has given a title, and not a path. */
const isTitle = ({ folder }: Place, { code }: ProblemError): boolean =>
  folder === '' && code === 'folder_not_granted';

/** Looks for the title in all folders; where notes have it in several cases of letters, the one that has it as it is written. */
const findByTitle = async (api: ApiClient, title: string): Promise<FoundNote> => {
  const { items, isComplete } = await listByTitle(api, title);
  if (items.length === 0 && !isComplete) {
    throw titlesIncomplete(title);
  }
  const exact = items.filter((note) => note.title === title);
  return onlyOne(title, exact.length === 1 ? exact : items);
};

/** After a large import, titles are added for a while. */
export const titlesIncomplete = (name: string): CommandFailure =>
  new CommandFailure(
    `no note "${name}" is known yet, and titles are still being added: try again later, or name the note by its id or as folder/title`,
    { exitCode: exitCodes.unavailable, code: 'incomplete' },
  );

/** The notes of a title in any folder, and those that had it. */
export const listByTitle = async (
  api: ApiClient,
  title: string,
): Promise<Pick<Schema<'NotesOfTitle'>, 'items' | 'former' | 'isComplete'>> => {
  try {
    return (await api.get('/api/notes/by-title', { params: { query: { title } } })).data;
  } catch (error) {
    // 400: no note can have such a title.
    if (error instanceof ProblemError && error.status === 400) {
      return { items: [], former: [], isComplete: true };
    }
    throw error;
  }
};

/** The only one of the notes that have a name. Throws if there is none, or several. */
export const onlyOne = (name: string, candidates: readonly FoundNote[]): FoundNote => {
  const [only, ...others] = candidates;
  if (only === undefined) {
    throw new CommandFailure(`there is no note "${name}"`, {
      exitCode: exitCodes.notFound,
      code: 'not_found',
    });
  }
  if (others.length > 0) {
    const list = candidates.map((note) => `  ${note.id}  ${pathOf(note)}`).join('\n');
    throw new CommandFailure(`several notes are called "${name}"; name one by its id:\n${list}`, {
      exitCode: exitCodes.conflict,
      code: 'ambiguous',
    });
  }
  return only;
};
