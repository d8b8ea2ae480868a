import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEnvironment, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

/** A synchronised folder of files with these names, whose text is their name. */
const createFolderOf = async (...names: string[]) => {
  const environment = await createEnvironment();
  const { root, server, write, syncOnce } = environment;
  for (const name of names) {
    await write(`${name}.md`, `${name}\n`);
  }
  await syncOnce();
  const move = (from: string, to: string): Promise<void> =>
    rename(join(root, `${from}.md`), join(root, `${to}.md`));
  /** The ids of the notes by title. */
  const ids = (): Record<string, string> =>
    Object.fromEntries([...server.activeNotes()].map(([id, { title }]) => [title, id]));
  /** The texts of the notes by title. */
  const texts = (): Record<string, string> =>
    Object.fromEntries(
      [...server.activeNotes().values()].map((note) => [note.title, note.content]),
    );
  return { ...environment, move, ids, texts, before: ids() };
};

describe('between two synchronisations', () => {
  it('a file that takes the name of one that moved on stays its note, and so does that one', async () => {
    const { move, syncOnce, ids, texts, before } = await createFolderOf('a', 'b');
    await move('b', 'c');
    await move('a', 'b');
    await syncOnce();
    expect(ids()).toEqual({ b: before['a'], c: before['b'] });
    expect(texts()).toEqual({ b: 'a\n', c: 'b\n' });
  });

  it('files that swap their names stay their notes', async () => {
    const { move, syncOnce, ids, texts, before } = await createFolderOf('a', 'b');
    await move('b', 'c');
    await move('a', 'b');
    await move('c', 'a');
    await syncOnce();
    expect(ids()).toEqual({ b: before['a'], a: before['b'] });
    expect(texts()).toEqual({ b: 'a\n', a: 'b\n' });
  });

  it('a file that replaces another one is its new version, as editors save', async () => {
    const { move, syncOnce, ids, texts, before } = await createFolderOf('a', 'b');
    await move('b', 'a');
    await syncOnce();
    expect(ids()).toEqual({ a: before['a'] });
    expect(texts()).toEqual({ a: 'b\n' });
  });
});

describe('a watch that holds back the deletion of many notes', () => {
  it('still knows which file was renamed at the same time', async () => {
    const gone = ['b', 'c', 'd'];
    const environment = await createFolderOf('a', ...gone);
    const { move, withFolder, root, write, ids, before } = environment;
    await withFolder(async (look) => {
      await move('a', 'renamed');
      await Promise.all(gone.map((name) => rm(join(root, `${name}.md`))));
      expect(await look({ mayDeleteMany: false })).toMatchObject({ heldBack: 3, moved: 1 });
      await Promise.all(gone.map((name) => write(`${name}.md`, `${name}\n`)));
      await look({ mayDeleteMany: false });
    });
    const { a: renamed, ...others } = before;
    expect(ids()).toEqual({ ...others, renamed });
  });
});
