import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { folderPaths } from '../src/sync/folder-paths.ts';
import { openFolder } from '../src/sync/open-folder.ts';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

describe('an edit that the server does not take', () => {
  it('is named in every run until it is edited or accepted', async () => {
    const { server, root, syncOnce, write, titles } = await createEnvironment();
    await write('Good.md', 'good\n');
    await write('Bad.md', 'bad\n');
    server.rejects = (change) => change.op === 'put' && change.note.title === 'Bad';
    const line = 'Bad.md: not sent: The simulated server refuses it.';
    for (let count = 0; count < 3; count += 1) {
      expect(problemsOf(await syncOnce())).toEqual([line]);
    }
    expect(titles()).toEqual(['Good']);
    expect(await readFile(join(root, 'Bad.md'), 'utf8')).toBe('bad\n');
    server.rejects = () => false;
    await write('Bad.md', 'better\n');
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect(titles()).toEqual(['Bad', 'Good']);
  });

  it('for a cause that has gone since is sent by the next run, as it is', async () => {
    const { server, syncOnce, write, titles } = await createEnvironment();
    await write('Elsewhere.md', 'text\n');
    server.rejects = () => true;
    server.rejectsWith = 'folder_not_granted';
    expect(problemsOf(await syncOnce())).toEqual([
      expect.stringContaining('Elsewhere.md: not sent'),
    ]);
    expect(problemsOf(await syncOnce())).toEqual([
      expect.stringContaining('Elsewhere.md: not sent'),
    ]);
    server.rejects = () => false;
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect(titles()).toEqual(['Elsewhere']);
  });

  it.each([
    ['the key may only read', 'insufficient_scope'],
    ['the agent is paused', 'agent_paused'],
  ] as const)(
    'because %s is named, and does not stop what comes from the server',
    async (_, code) => {
      const { server, root, syncOnce, write, agentWrites, titles } = await createEnvironment();
      await write('Mine.md', 'one\n');
      await syncOnce();
      await agentWrites({ title: 'Theirs', content: 'first\n' });
      server.isReadOnlyBy = code;
      await write('Mine.md', 'two\n');
      for (let count = 0; count < 2; count += 1) {
        expect(problemsOf(await syncOnce())).toEqual([
          expect.stringContaining('Mine.md: not sent: '),
        ]);
      }
      expect(await readFile(join(root, 'Theirs.md'), 'utf8')).toBe('first\n');
      await write('Mine.md', 'three\n');
      await syncOnce();
      server.isReadOnlyBy = null;
      await agentWrites({ title: 'Third' });
      expect(problemsOf(await syncOnce())).toEqual([]);
      expect(titles()).toEqual(['Mine', 'Theirs', 'Third']);
      const mine = [...server.activeNotes().values()].find(({ title }) => title === 'Mine');
      expect([mine?.content, server.conflictCount()]).toEqual(['three\n', 0]);
    },
  );
});

describe('a first run that is interrupted', () => {
  it('has claimed its folder, and nothing that it received goes to another company', async () => {
    const [first, other] = [await createEnvironment(), await createEnvironment()];
    await first.agentWrites({ title: 'Of the first', content: 'not for others\n' });
    const owner = (companyId: string) => ({ baseUrl: 'http://simulated.test', companyId });
    const received = await openFolder(first.api, first.root, owner('c'));
    await received.folder.client.synchronise();
    await received.close();
    await expect(openFolder(other.api, first.root, owner('d'))).rejects.toThrow(
      /belongs to company c/,
    );
    // As releases left it that claimed no folder.
    await rm(folderPaths(first.root).state);
    const opened = await openFolder(other.api, first.root, owner('d'));
    await opened.folder.client.synchronise();
    await opened.close();
    expect(other.titles()).toEqual([]);
  });
});

describe('a folder whose name is not UTF-8', () => {
  it('is named, and no note counts as deleted that may be in it', async () => {
    const { root, syncOnce, write, titles } = await createEnvironment();
    await write('Plan.md', 'plan\n');
    await syncOnce();
    const latin1 = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]);
    await mkdir(latin1);
    const name = Buffer.concat([latin1, Buffer.from('/Plan.md')]);
    await rename(join(root, 'Plan.md'), name);
    expect(problemsOf(await syncOnce())).toEqual([
      'caf\ufffd: its name is not UTF-8',
      'Plan.md: not deleted: caf\ufffd is new and unreadable, and may be this file',
    ]);
    expect(titles()).toEqual(['Plan']);
    await rename(name, join(root, 'Moved.md'));
    await rm(latin1, { recursive: true });
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect(titles()).toEqual(['Moved']);
  });
});

describe('the state of a folder', () => {
  it.each(['files.json', 'replica.jsonl', 'plan.json'])(
    'in a damaged %s is named with the way out, which loses nothing',
    async (name) => {
      const { root, syncOnce, write, titles } = await createEnvironment();
      await write('Plan.md', 'plan\n');
      await syncOnce();
      await writeFile(join(root, '.commonplace', name), '{"damaged\n');
      await expect(syncOnce()).rejects.toThrow(
        `${join(root, '.commonplace', name)} is damaged. Your Markdown files are not affected. Move the folder`,
      );
      await rename(join(root, '.commonplace'), `${root}-state`);
      expect(problemsOf(await syncOnce())).toEqual([]);
      expect([titles(), (await readdir(root)).toSorted()]).toEqual([
        ['Plan'],
        ['.commonplace', 'Plan.md'],
      ]);
    },
  );

  it('is readable for its owner only', async () => {
    const { root, syncOnce, write } = await createEnvironment();
    await write('Plan.md', 'plan\n');
    await syncOnce();
    for (const name of ['files.json', 'replica.jsonl', 'id']) {
      expect([name, (await stat(join(root, '.commonplace', name))).mode & 0o777]).toEqual([
        name,
        0o600,
      ]);
    }
  });
});
