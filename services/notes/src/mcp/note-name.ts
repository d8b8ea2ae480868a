import { AppError, noteId, type NoteId } from '@commonplace/contracts/core';
import {
  getNoteByPathContract,
  listNotesContract,
  type NoteData,
} from '@commonplace/contracts/notes';
import { asAppError, bodyOf } from '@commonplace/http';
import { z } from 'zod';
import type { McpSession } from './mcp-session.ts';

/** How a call names a note: by exactly one of these. */
export const noteName = {
  id: z.string().optional().describe('Note id'),
  path: z.string().optional().describe('folder/title'),
  title: z.string().optional().describe('Title, in any folder'),
};

export type NoteName = {
  readonly id?: string | undefined;
  readonly path?: string | undefined;
  readonly title?: string | undefined;
};

export const nameAliases = { note_id: 'id', noteId: 'id', uri: 'id', name: 'title' } as const;

/** The note of a call: its id, and the note itself where finding it has read it. */
export type FoundNote = { readonly id: NoteId; readonly note?: NoteData };

/** Finds the note that a call names. Throws `not_found`, `ambiguous` or `validation_failed`. */
export const findNote = async (session: McpSession, name: NoteName): Promise<FoundNote> => {
  if (name.id !== undefined) {
    const parsed = noteId.safeParse(name.id.replace(/^note:\/\//, '').trim());
    return { id: parsed.success ? parsed.data : invalid('id must be the UUID of a note.') };
  }
  if (name.path !== undefined) {
    return findByPath(session, name.path);
  }
  if (name.title === undefined) {
    return invalid('Name the note by id, path or title.');
  }
  return findByTitle(session, name.title);
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

/** Titles may have slashes and may end with `.md`: so many places are tried. */
const placesMax = 6;

/** The note at a path. Which of its slashes belong to the title, only the notes show. */
const findByPath = async (session: McpSession, path: string): Promise<FoundNote> => {
  let missing: unknown;
  for (const place of placesOf(path)) {
    try {
      return await readByPath(session, place);
    } catch (error) {
      if (asAppError(error).code !== 'not_found') {
        throw error;
      }
      missing ??= error;
    }
  }
  throw missing;
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

type Place = { readonly folder: string; readonly title: string };

/** Finds a note at its exact place. */
export const readByPath = async ({ call }: McpSession, query: Place): Promise<FoundNote> => {
  const note = bodyOf<typeof getNoteByPathContract>(await call(getNoteByPathContract, { query }));
  return { id: note.id, note };
};

const candidatesMax = 20;

/** At the root, else in the folders: the one note of this title, letter case aside. */
const findByTitle = async (session: McpSession, title: string): Promise<FoundNote> => {
  try {
    return await readByPath(session, { folder: '', title });
  } catch (error) {
    if (asAppError(error).code !== 'not_found' || title.trim() === '') {
      throw error;
    }
  }
  const query = { q: `"${wholeWords(title.replaceAll('"', ' '))}"`, limit: '50' };
  const { items } = bodyOf<typeof listNotesContract>(
    await session.call(listNotesContract, { query }),
  );
  const titled = items.filter((item) => keyOf(item.title) === keyOf(title));
  const [found, ...others] = titled;
  if (!found) {
    throw new AppError('not_found', 'No note has this title.');
  }
  if (others.length > 0) {
    const candidates = titled
      .slice(0, candidatesMax)
      .map(({ id, folder, title: name, revision }) => ({ id, folder, title: name, revision }));
    throw new AppError('ambiguous', 'Several notes have this title.', {
      extensions: { candidates },
    });
  }
  return { id: found.id };
};

const wordsCharactersMax = 480;

/** The words of a long title that a query has room for. Half a word would find nothing. */
const wholeWords = (title: string): string =>
  title.length <= wordsCharactersMax
    ? title
    : title
        .slice(0, wordsCharactersMax)
        .toWellFormed()
        .replace(/\s+\S*$/u, '');

const keyOf = (title: string): string => title.trim().normalize('NFC').toLowerCase();
