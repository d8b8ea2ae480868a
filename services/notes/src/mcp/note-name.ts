import { AppError, noteId, type NoteId } from '@commonplace/contracts/core';
import {
  fitsInCharacters,
  getNoteByPathContract,
  noteLimits,
  noteText,
  noteTitle,
  type NoteData,
} from '@commonplace/contracts/notes';
import { asAppError, bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { findByTitle, findMissing, type Place, type TitleSearch } from './find-by-title.ts';
import type { McpSession } from './mcp-session.ts';
import { unlessRefused } from './unless-refused.ts';

/** A UUID, also as a URI or with blanks around it. */
const idLengthMax = 100;

/** Of the longest folder and title, the slashes and `.md`. */
const pathCharactersMax = noteLimits.folderCharactersMax + noteLimits.titleCharactersMax + 5;

const notePath = noteText().refine(
  (path) => fitsInCharacters(path, pathCharactersMax),
  `must be at most ${pathCharactersMax} characters`,
);

/** The id of a note as a model gives it. */
export const givenId = z.string().max(idLengthMax);

/** How a call names a note: by exactly one of these. */
export const noteName = {
  id: givenId.optional(),
  path: notePath.optional().describe('folder/title'),
  title: noteTitle.optional().describe('In any folder'),
};

export type NoteName = {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
};

export const nameAliases = { note_id: 'id', noteId: 'id', uri: 'id', name: 'title' } as const;

/** The path or title by which a note was found. */
export type FoundName = { readonly title: string; readonly folder?: string };

/** The note of a call: its id, and the note itself where finding it has read it. */
export type FoundNote = {
  readonly id: NoteId;
  readonly note?: NoteData;
  /** Undefined: it was found by its id. */
  readonly name?: FoundName;
};

/** Finds the note that a call names. Throws `not_found`, `ambiguous` or `validation_failed`. */
export const findNote = async (
  session: McpSession,
  name: NoteName,
  search: TitleSearch = { withDeleted: false },
): Promise<FoundNote> => {
  assertOneName(name);
  if (name.id !== undefined) {
    const parsed = noteId.safeParse(name.id.replace(/^note:\/\//, '').trim());
    return { id: parsed.success ? parsed.data : invalid('id must be the UUID of a note.') };
  }
  if (name.path !== undefined) {
    return findByPath(session, name.path, search);
  }
  const { title = '' } = name;
  // No link leads to a note without a title, so the catalog has none.
  return title.trim() === ''
    ? readByPath(session, { folder: '', title })
    : { id: await findByTitle(session, title, search), name: { title } };
};

/** Two names may be of two notes, and one of them would be ignored. */
const assertOneName = (name: NoteName): void => {
  const given = (['id', 'path', 'title'] as const).filter((each) => name[each] !== undefined);
  if (given.length !== 1) {
    invalid(
      given.length === 0
        ? 'Name the note by id, path or title.'
        : `Name the note by one of id, path and title, not by ${given.join(' and ')}.`,
    );
  }
};

/** The last segment of a path is the title. */
export const splitPath = (path: string) => {
  const whole = path.replace(/^\/+/, '').replace(/\.md$/, '');
  const at = whole.lastIndexOf('/');
  return { folder: at < 0 ? '' : whole.slice(0, at), title: whole.slice(at + 1) };
};

const invalid = (detail: string): never => {
  throw new AppError('validation_failed', detail);
};

/** The places that are tried: titles may have slashes and may end with `.md`. */
const placesMax = 6;

/**
 * The note at a path. Which of its slashes belong to the title, only the notes show: a place outside the folders of the
 * caller is one that has no note, unless it is where `write_note` would create it.
 */
const findByPath = async (
  session: McpSession,
  path: string,
  search: TitleSearch,
): Promise<FoundNote> => {
  let refusal: AppError | null = null;
  for (const [index, place] of placesOf(path).entries()) {
    try {
      const found = await readByPath(session, place);
      if (index === 0 && path.endsWith('.md')) {
        await assertNoTwin(session, found, path);
      }
      return found;
    } catch (thrown) {
      const error = asAppError(thrown);
      if (error.code !== 'not_found' && error.code !== 'folder_not_granted') {
        throw thrown;
      }
      refusal = index === 0 && error.code === 'folder_not_granted' ? error : refusal;
    }
  }
  if (refusal !== null) {
    throw refusal;
  }
  return { id: await findMissing(session, splitPath(path), search) };
};

/** `docs/readme.md` is the path of a note `readme` and, in lists, of a note `readme.md`. Throws `ambiguous` for both. */
const assertNoTwin = async (
  session: McpSession,
  { id, name }: FoundNote,
  path: string,
): Promise<void> => {
  const [, exact] = placesOf(path);
  const twin = exact ? await unlessRefused(readByPath(session, exact), null) : null;
  if (twin !== null && twin.id !== id) {
    throw new AppError('ambiguous', 'A note without `.md` and one with it have this path.', {
      extensions: {
        candidates: [
          { id, ...name },
          { id: twin.id, ...twin.name },
        ],
      },
    });
  }
};

/** What a path can mean: first the place where `write_note` creates a note of this path. */
const placesOf = (path: string): readonly Place[] => {
  const segments = path.replace(/^\/+/, '').split('/');
  const placeAt = (at: number): Place => ({
    folder: segments.slice(0, at).join('/'),
    title: segments.slice(at).join('/'),
  });
  const last = segments.length - 1;
  const count = Math.min(segments.length, placesMax);
  const exact = Array.from({ length: count }, (_, index) => placeAt(last - index));
  const created = splitPath(path);
  return [created, ...exact.filter(({ title }) => title !== created.title)];
};

/** Finds a note at its exact place. */
export const readByPath = async ({ call }: McpSession, query: Place): Promise<FoundNote> => {
  const note = bodyOf<typeof getNoteByPathContract>(await call(getNoteByPathContract, { query }));
  return { id: note.id, note, name: { folder: note.folder, title: note.title } };
};
