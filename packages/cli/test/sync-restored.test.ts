import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

/** An environment whose server has a clock. Its functions move it on. */
const createTimedEnvironment = async () => {
  const environment = await createEnvironment();
  const { server, root } = environment;
  let nowMs = Date.parse('2026-06-01T00:00:00.000Z');
  server.now = () => new Date(nowMs);
  const hourPasses = (): void => {
    nowMs += 3_600_000;
  };
  const files = async (): Promise<Record<string, string>> => {
    const names = (await readdir(root)).filter((name) => name.endsWith('.md')).toSorted();
    const texts = names.map(async (name) => [name, await readFile(join(root, name), 'utf8')]);
    return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
  };
  const contents = (): Record<string, string> =>
    Object.fromEntries(
      [...server.activeNotes().values()].map(({ title, content }) => [title, content]),
    );
  return { ...environment, hourPasses, files, contents };
};

describe('a folder whose server was restored from a backup', () => {
  it('keeps every file, and sends again what the server has lost', async () => {
    const { server, write, syncOnce, hourPasses, files, contents } = await createTimedEnvironment();
    await write('Plan.md', 'first\n');
    await write('Same.md', 'same\n');
    await syncOnce();
    hourPasses();
    const restore = server.backup();
    await write('New.md', 'written after the backup\n');
    await write('Plan.md', 'first\nsecond\n');
    await syncOnce();
    hourPasses();
    await syncOnce();
    const before = await files();

    restore();
    hourPasses();
    const summary = await syncOnce();
    expect(await files()).toEqual(before);
    expect(contents()).toEqual({
      New: 'written after the backup\n',
      Plan: 'first\nsecond\n',
      Same: 'same\n',
    });
    expect([summary.isServerRestored, problemsOf(summary)]).toEqual([true, []]);
    expect(server.conflictCount()).toBe(0);
    expect(await syncOnce()).toMatchObject({ isServerRestored: false, merged: 0 });
    expect(await files()).toEqual(before);
  });

  it('keeps both texts of a note that was edited since the restore', async () => {
    const environment = await createTimedEnvironment();
    const { server, write, syncOnce, agentWrites, hourPasses, files } = environment;
    await write('Plan.md', 'first\n');
    await syncOnce();
    const [id = ''] = server.activeNotes().keys();
    hourPasses();
    const restore = server.backup();
    await write('Plan.md', 'of the folder\n');
    await syncOnce();
    restore();
    hourPasses();
    await agentWrites({ title: 'Plan', content: 'of the agent\n' }, id);
    hourPasses();
    await syncOnce();
    expect(Object.values(await files())).toEqual([
      expect.stringContaining('of the folder\n'),
      'of the agent\n',
    ]);
    expect(server.conflictCount()).toBe(1);
  });

  it('keeps unsent edits and deletes nothing that the user has not seen', async () => {
    const environment = await createTimedEnvironment();
    const { server, write, syncOnce, hourPasses, contents, files } = environment;
    await write('Plan.md', 'first\n');
    await syncOnce();
    hourPasses();
    const restore = server.backup();
    await write('Plan.md', 'second\n');
    await write('New.md', 'one\n');
    await syncOnce();
    hourPasses();
    await syncOnce();
    restore();
    await write('Plan.md', 'third\n');
    await write('New.md', 'two\n');
    await syncOnce();
    expect(contents()).toEqual({ Plan: 'third\n', New: 'two\n' });
    expect(await files()).toEqual({ 'Plan.md': 'third\n', 'New.md': 'two\n' });
  });

  it('still removes the files of notes whose deletion was purged', async () => {
    const { server, write, syncOnce, agentWrites, files } = await createTimedEnvironment();
    await write('Plan.md', 'first\n');
    await syncOnce();
    const [id = ''] = server.activeNotes().keys();
    await agentWrites(null, id);
    server.expireCursors();
    const summary = await syncOnce();
    expect([await files(), summary.isServerRestored]).toEqual([{}, false]);
  });
});
