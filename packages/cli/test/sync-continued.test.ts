import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

describe('a watch', () => {
  it('writes the files of notes that it had received when a synchronisation failed', async () => {
    const { withFolder, agentWrites, server, root } = await createEnvironment();
    await agentWrites({ title: 'Known' });
    await withFolder(async (look) => {
      await look();
      for (const title of ['One', 'Two', 'Three']) {
        await agentWrites({ title });
      }
      const { now } = server;
      const failsFrom = server.postCount + 2;
      server.now = () => {
        if (server.postCount >= failsFrom) {
          throw new Error('the network is down');
        }
        return now();
      };
      // A page has two notes: the first arrives, the second does not.
      await expect(look()).rejects.toThrow('down');
      server.now = now;
      await look();
    });
    const files = (await readdir(root)).filter((name) => name.endsWith('.md'));
    expect(files.toSorted()).toEqual(['Known.md', 'One.md', 'Three.md', 'Two.md']);
  });

  it('names what it received before its files were read when it failed after that', async () => {
    const { withFolder, server, root, write } = await createEnvironment({ proposals: true });
    await write('Deleted.md', 'one\n');
    await withFolder(async (look) => {
      await look();
      // With a pending proposal it receives before it reads the files.
      server.proposes = () => true;
      await write('Proposed.md', 'one\n');
      await look();
      await rm(join(root, 'Deleted.md'));
      // The result of the deletion is lost at first, and then that of a file.
      server.rejects = ({ op }) => {
        server.omitsResults = true;
        return op === 'delete';
      };
      await expect(look()).rejects.toThrow('no result');
      server.omitsResults = false;
      await write('Other.md', 'one\n');
      await expect(look()).rejects.toThrow('no result');
      server.omitsResults = false;
      server.rejects = () => false;
      expect(problemsOf(await look())).toEqual([
        'Deleted.md: not deleted: The simulated server refuses it.',
      ]);
      expect(problemsOf(await look())).toEqual([]);
    });
    expect(await readdir(root)).toContain('Deleted.md');
  });
});

describe('a file that cannot be put aside', () => {
  it('stays, is named, and delays no other file', async () => {
    const { syncOnce, agentWrites, server, root } = await createEnvironment();
    server.hidesNotes = true;
    const id = await agentWrites({ title: 'Hidden', content: 'hidden\n' });
    await syncOnce();
    const hash = createHash('sha256').update('hidden\n').digest('hex');
    const removed = join(root, '.commonplace', 'removed');
    await mkdir(removed);
    await writeFile(join(removed, 'Hidden.md'), 'an earlier one\n');
    await writeFile(join(removed, `Hidden (${hash.slice(0, 8)}).md`), 'edited there\n');
    // The full pull does not bring it: it is hidden.
    server.remove(id);
    server.expireCursors();
    await agentWrites({ title: 'Other' });
    expect(problemsOf(await syncOnce())).toEqual([
      'Hidden.md: the folder of removed files has other files of its name',
    ]);
    expect(await readFile(join(root, 'Hidden.md'), 'utf8')).toBe('hidden\n');
    expect(await readdir(root)).toContain('Other.md');
  });
});
