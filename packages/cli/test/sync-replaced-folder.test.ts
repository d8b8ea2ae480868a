import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

const isWatching = true;

/** A watched folder with three synchronised files. */
const createWatchedFolder = async () => {
  const environment = await createEnvironment();
  for (const name of ['a', 'b', 'd/c']) {
    await environment.write(`${name}.md`, `${name}\n`);
  }
  await environment.syncOnce();
  return environment;
};

describe('sync --watch --delete', () => {
  it.each([
    ['renamed', async () => undefined],
    ['unmounted, which leaves an empty folder', (root: string) => mkdir(root)],
    [
      'replaced by a copy of it',
      async (root: string) => {
        await cp(`${root}-away`, root, { recursive: true });
        await rm(join(root, 'a.md'));
      },
    ],
    [
      'replaced by an empty folder with its state',
      async (root: string) => {
        await mkdir(root);
        await cp(join(`${root}-away`, '.commonplace'), join(root, '.commonplace'), {
          recursive: true,
        });
      },
    ],
  ])('deletes and writes nothing while its folder is %s', async (_, replace) => {
    const { root, withFolder, agentWrites, titles } = await createWatchedFolder();
    await withFolder(async (look) => {
      await look({ isWatching });
      await rename(root, `${root}-away`);
      await replace(root);
      const names = await readdir(root, { recursive: true }).catch(() => []);
      await agentWrites({ title: 'new' });
      for (let count = 0; count < 3; count += 1) {
        await expect(look({ isWatching })).rejects.toThrow('is not the folder that was opened');
      }
      expect(titles()).toEqual(['a', 'b', 'c', 'new']);
      expect(await readdir(root, { recursive: true }).catch(() => [])).toEqual(names);

      await rm(root, { recursive: true, force: true });
      await rename(`${root}-away`, root);
      expect(await look({ isWatching })).toMatchObject({ received: { created: 1, deleted: 0 } });
      expect(titles()).toEqual(['a', 'b', 'c', 'new']);
      await rm(join(root, 'a.md'));
      expect((await look({ isWatching })).sent.deleted).toBe(0);
      expect((await look({ isWatching })).sent.deleted).toBe(1);
    });
    expect(titles()).toEqual(['b', 'c', 'new']);
  });

  it('sends and receives nothing while its folder is renamed, also with a proposal to look for', async () => {
    const { root, write, withFolder, server } = await createEnvironment({ proposals: true });
    server.proposes = () => true;
    await write('Plan.md', 'one\n');
    await withFolder(async (look) => {
      expect(await look({ isWatching })).toMatchObject({ proposed: ['Plan.md'] });
      await rename(root, `${root}-away`);
      const { postCount } = server;
      await expect(look({ isWatching })).rejects.toThrow('is not the folder that was opened');
      expect(server.postCount).toBe(postCount);
      await rename(`${root}-away`, root);
      expect(await look({ isWatching })).toMatchObject({ proposed: ['Plan.md'] });
    });
  });

  it('keeps the notes of a folder below it that was a file system of its own', async () => {
    const { root, syncOnce, titles } = await createWatchedFolder();
    const state = join(root, '.commonplace', 'files.json');
    const stored = JSON.parse(await readFile(state, 'utf8')) as { files: [string, object][] };
    const files = stored.files.map(([path, entry]) =>
      path === 'd/c.md' ? [path, { ...entry, isOnOtherDevice: true }] : [path, entry],
    );
    await writeFile(state, JSON.stringify({ ...stored, files }));
    await rm(join(root, 'd', 'c.md'));
    const reason = 'not deleted: it was on another file system, which is not mounted';
    expect(problemsOf(await syncOnce())).toEqual([`d/c.md: ${reason}`]);
    await rm(join(root, 'd'), { recursive: true });
    expect(problemsOf(await syncOnce())).toEqual([`d/c.md: ${reason}`]);
    expect(titles()).toEqual(['a', 'b', 'c']);
  });
});

describe('--delete', () => {
  it('needs a confirmation to delete most notes of a small folder', async () => {
    const { root, withFolder, titles } = await createWatchedFolder();
    await rm(join(root, 'a.md'));
    await rm(join(root, 'b.md'));
    await rm(join(root, 'd/c.md'));
    expect(problemsOf(await withFolder((look) => look({ mayDeleteMany: false })))).toEqual([
      expect.stringContaining('3 of 3 files are missing. Their notes are not deleted'),
    ]);
    expect(titles()).toEqual(['a', 'b', 'c']);
    await writeFile(join(root, 'b.md'), 'b\n');
    await withFolder((look) => look({ mayDeleteMany: false }));
    expect(titles()).toEqual(['b']);
  });
});
