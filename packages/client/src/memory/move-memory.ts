import type { ApiClient } from '../api-client.ts';
import { countFiles, findFile, listDirectory } from './memory-notes.ts';
import type { MemoryPlace } from './memory-place.ts';
import { proposedMemory } from './proposed-memory.ts';
import { MemoryToolError } from './memory-tool-error.ts';

/**
 * `delete`: a file, or a directory with all that is in it. Where both have one name, the repetition of a deletion of the
 * file, whose response was lost, must not delete the directory.
 */
export const deleteMemory = async (api: ApiClient, place: MemoryPlace): Promise<string> => {
  if (place.file === null) {
    throw new MemoryToolError(`Error: The directory ${place.path} itself cannot be deleted`);
  }
  const note = place.isDirectoryOnly ? null : await findFile(api, place);
  const notes = note ? [note] : await listDirectory(api, place.directory);
  if (!note && notes.length > 0 && !place.isDirectoryOnly) {
    await assertNeverFile(api, place.file, place.path);
  }
  if (notes.length === 0) {
    throw new MemoryToolError(`Error: The path ${place.path} does not exist`);
  }
  for (const { id } of notes) {
    await api.delete('/api/notes/{id}', { params: { path: { id } } });
  }
  return `Successfully deleted ${place.path}`;
};

/** Throws a MemoryToolError if a file of this name was deleted, or if the API may have left it out. */
const assertNeverFile = async (
  api: ApiClient,
  { folder, title }: NonNullable<MemoryPlace['file']>,
  path: string,
): Promise<void> => {
  const { data } = await api.get('/api/notes/by-title', { params: { query: { title } } });
  const { former, isComplete } = data;
  // A server of an earlier release does not say whether there are more.
  const hasAllFormer = 'formerHasMore' in data && !data.formerHasMore;
  const wasFile = former.some((note) => note.deleted && note.folder === folder);
  if (wasFile || !hasAllFormer || !isComplete) {
    throw new MemoryToolError(
      `Error: The file ${path} ${wasFile ? 'is' : 'may be'} deleted already. To delete the directory of this name, use ${path}/`,
    );
  }
};

/**
 * `rename`: moves a file, or a directory with all that is in it. Never onto another. The server allows two notes of one
 * name, so a file that meets another one at its destination, made in the meantime, is moved back.
 */
export const renameMemory = async (
  api: ApiClient,
  from: MemoryPlace,
  to: MemoryPlace,
): Promise<string> => {
  const note = await findFile(api, from);
  const notes = note || from.file === null ? [] : await listDirectory(api, from.directory);
  if (!note && notes.length === 0) {
    throw new MemoryToolError(`Error: The path ${from.path} does not exist`);
  }
  if (
    to.file === null ||
    `${to.directory}/`.startsWith(`${from.directory}/`) ||
    (await exists(api, to))
  ) {
    throw new MemoryToolError(`Error: The destination ${to.path} already exists`);
  }
  const proposed: (string | null)[] = [];
  if (note) {
    proposed.push(proposedMemory(await setPlace(api, note.id, to.file), from.path));
    if ((await countFiles(api, to)) > 1) {
      await setPlace(api, note.id, { folder: note.folder, title: note.title });
      throw new MemoryToolError(`Error: The destination ${to.path} already exists`);
    }
  }
  for (const { id, folder } of notes) {
    const target = { folder: `${to.directory}${folder.slice(from.directory.length)}` };
    proposed.push(proposedMemory(await setPlace(api, id, target), from.path));
  }
  return (
    proposed.find((text) => text !== null) ?? `Successfully renamed ${from.path} to ${to.path}`
  );
};

const exists = async (api: ApiClient, place: MemoryPlace): Promise<boolean> =>
  (await findFile(api, place)) !== null ||
  (await listDirectory(api, place.directory, 1)).length > 0;

type Target = { readonly folder: string; readonly title?: string };

const setPlace = async (api: ApiClient, id: string, target: Target): Promise<object> => {
  const { data } = await api.patch('/api/notes/{id}', {
    params: { path: { id } },
    headers: { Prefer: 'return=minimal' },
    body: { edits: [{ op: 'set', ...target }], mutationId: crypto.randomUUID() },
  });
  return data;
};
