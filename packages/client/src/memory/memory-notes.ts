import type { ApiClient, Schema } from '../api-client.ts';
import { ProblemError } from '../problem-error.ts';
import type { MemoryPlace } from './memory-place.ts';

/** The most that one request lists. */
const pageItemsMax = 100;

/** Returns the note of a file, or null. Of several of one name, which other clients may make, the newest. */
export const findFile = async (
  api: ApiClient,
  { file }: MemoryPlace,
): Promise<Schema<'NoteData'> | null> => {
  if (file === null) {
    return null;
  }
  try {
    return (await api.get('/api/notes/by-path', { params: { query: file } })).data;
  } catch (error) {
    if (!(error instanceof ProblemError)) {
      throw error;
    }
    const newest = candidatesOf(error)[0];
    if (newest !== undefined) {
      return (await api.get('/api/notes/{id}', { params: { path: { id: newest } } })).data;
    }
    if (error.status === 404) {
      return null;
    }
    throw error;
  }
};

/** How many notes have the name of a file: none, one, or several that other clients have made. */
export const countFiles = async (api: ApiClient, { file }: MemoryPlace): Promise<number> => {
  if (file === null) {
    return 0;
  }
  try {
    await api.get('/api/notes/by-path', { params: { query: file } });
    return 1;
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'ambiguous') {
      return candidatesOf(error).length;
    }
    if (error instanceof ProblemError && error.status === 404) {
      return 0;
    }
    throw error;
  }
};

const candidatesOf = ({ code, problem }: ProblemError): string[] =>
  code === 'ambiguous'
    ? (problem['candidates'] as { readonly id: string }[]).map(({ id }) => id)
    : [];

type ListQuery = Partial<typeof oldestFirst> & {
  readonly folder: string;
  readonly limit: number;
  readonly cursor?: string;
};

/** A note that is written while pages are read stays where it is. */
const oldestFirst = { sort: 'createdAt', order: 'asc' } as const;

/** Lists the notes in a folder and below it: all, or `max` of them, those that were written last. */
export const listDirectory = async (
  api: ApiClient,
  folder: string,
  max = Infinity,
): Promise<Schema<'ListedNote'>[]> => {
  const notes: Schema<'ListedNote'>[] = [];
  let cursor: string | null = null;
  do {
    const query: ListQuery = {
      folder,
      limit: pageItemsMax,
      ...(max === Infinity && oldestFirst),
      ...(cursor !== null && { cursor }),
    };
    const { data } = await api.get('/api/notes', { params: { query } });
    notes.push(...data.items);
    cursor = data.nextCursor;
  } while (cursor !== null && notes.length < max);
  return notes;
};
