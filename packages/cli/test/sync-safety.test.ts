import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { nodeEnvironment } from '@commonplace/testkit';
import { openFileStore } from '../src/sync/file-store.ts';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

/** A file that is no note, because it is not UTF-8. */
const unreadable = Uint8Array.of(0xff, 0x0a);

describe('--delete', () => {
  it.each([
    ['title', { title: ' .plan' }],
    ['title', { title: '\u00a0..plan' }],
    ['folder', { title: 'Plan', folder: ' .d/e' }],
  ])('keeps a note whose %s begins with blanks and dots: %j', async (_, text) => {
    const { syncOnce, agentWrites, server } = await createEnvironment();
    await agentWrites(text);
    await syncOnce();
    expect(problemsOf(await syncOnce())).toEqual([]);
    await syncOnce();
    expect([...server.activeNotes().values()]).toMatchObject([text]);
  });

  it('keeps the notes of a folder that became a link, under its own name or another', async () => {
    const { syncOnce, titles, root, home, write } = await createEnvironment();
    await mkdir(join(root, 'd'));
    await write('d/Kept.md', 'kept\n');
    await syncOnce();
    await rename(join(root, 'd'), join(home, 'outside', 'd'));
    await symlink(join(home, 'outside', 'd'), join(root, 'd'));
    expect(problemsOf(await syncOnce())).toEqual([
      'd/Kept.md: not deleted: d is a link, and links are not followed',
    ]);
    await rename(join(root, 'd'), join(root, 'other'));
    expect(problemsOf(await syncOnce())).toEqual([
      'd/Kept.md: not deleted: other is new and unreadable, and may be this file',
    ]);
    expect(titles()).toEqual(['Kept']);
    await rm(join(root, 'other'));
    await syncOnce();
    expect(titles()).toEqual([]);
  });

  it('keeps the note of a renamed file that is no text, and the file stays its file', async () => {
    const { syncOnce, titles, root, server, write } = await createEnvironment();
    await write('Old.md', 'text\n');
    await syncOnce();
    const [id] = server.activeNotes().keys();
    await rename(join(root, 'Old.md'), join(root, 'New.md'));
    await write('New.md', unreadable);
    expect(problemsOf(await syncOnce())).toEqual(['New.md: it is not UTF-8']);
    expect(titles()).toEqual(['Old']);
    await write('New.md', '---\ntags: [open]\n---\ntext\n');
    await syncOnce();
    expect([...server.activeNotes()]).toMatchObject([[id, { title: 'New', tags: ['open'] }]]);
  });

  it('keeps a note whose file was replaced by a new, unreadable file with another name', async () => {
    const { syncOnce, titles, root, write } = await createEnvironment();
    await write('Old.md', 'text\n');
    await syncOnce();
    await write('New.md', unreadable);
    await rm(join(root, 'Old.md'));
    await syncOnce();
    await syncOnce();
    expect(titles()).toEqual(['Old']);
    await write('New.md', 'another\n');
    await syncOnce();
    expect(titles()).toEqual(['New']);
  });

  it('deletes notes despite a file that was unreadable before', async () => {
    const { syncOnce, titles, root, write } = await createEnvironment();
    await write('Broken.md', unreadable);
    await write('Gone.md', 'gone\n');
    await syncOnce();
    await rm(join(root, 'Gone.md'));
    await syncOnce();
    expect(titles()).toEqual([]);
  });

  it('creates a new note for a new file with the inode number of a deleted one', async () => {
    const { syncOnce, root, server, write } = await createEnvironment();
    await write('Old.md', 'old\n');
    await syncOnce();
    const [old = ''] = server.activeNotes().keys();
    const { ino } = await stat(join(root, 'Old.md'));
    await rm(join(root, 'Old.md'));
    // The file system may or may not reuse the number for one of these files. Both cases must work.
    const names = Array.from({ length: 20 }, (_, index) => `New ${index}.md`);
    for (const name of names) {
      await write(name, `${name}\n`);
    }
    await syncOnce();
    const inodes = await Promise.all(names.map(async (name) => (await stat(join(root, name))).ino));
    expect({ isReused: inodes.includes(ino), has: server.activeNotes().has(old) }).toEqual({
      isReused: inodes.includes(ino),
      has: false,
    });
    expect(server.activeNotes().size).toBe(20);
  });
});

describe('a link in the folder', () => {
  it('is never written through', async () => {
    const { syncOnce, agentWrites, root, home, titles, write } = await createEnvironment();
    await writeFile(join(home, 'outside', 'Plan.md'), 'theirs\n');
    await symlink(join(home, 'outside'), join(root, 'd'));
    await symlink(join(home, 'outside', 'Plan.md'), join(root, 'Plan.md'));
    await write('Mine.md', 'mine\n');
    await agentWrites({ title: 'New', folder: 'd', content: 'new\n' });
    await agentWrites({ title: 'Plan', content: 'plan\n' });
    const summary = await syncOnce();
    expect(problemsOf(summary)).toEqual(['d/New.md: d is a link, and links are not followed']);
    expect(await readdir(join(home, 'outside'))).toEqual(['Plan.md']);
    expect(await readFile(join(home, 'outside', 'Plan.md'), 'utf8')).toBe('theirs\n');
    expect(await readFile(join(root, 'Plan (2).md'), 'utf8')).toBe('---\ntitle: Plan\n---\nplan\n');
    expect(titles()).toEqual(['Mine', 'New', 'Plan']);
  });

  it('keeps the file of a conflict whose copy would be behind it', async () => {
    const { syncOnce, agentWrites, root, home, titles, write } = await createEnvironment();
    const id = await agentWrites({ title: 'Plan', content: 'one\n', folder: 'd' });
    await syncOnce();
    await rename(join(root, 'd', 'Plan.md'), join(root, 'Mine.md'));
    await write('Mine.md', '---\nfolder: d\n---\none\nmine\n');
    await rm(join(root, 'd'), { recursive: true });
    await symlink(join(home, 'outside'), join(root, 'd'));
    await agentWrites({ title: 'Theirs', content: 'one\n', folder: '' }, id);
    const blocked = [
      expect.stringMatching(/^d\/Mine .*: d is a link, and links are not followed$/),
    ];
    for (const files of [['Mine.md'], ['Mine.md', 'Theirs.md'], ['Mine.md', 'Theirs.md']]) {
      expect(problemsOf(await syncOnce())).toEqual(blocked);
      expect((await readdir(root)).filter((name) => name.endsWith('.md')).toSorted()).toEqual(
        files,
      );
      expect(await readFile(join(root, 'Mine.md'), 'utf8')).toContain('mine\n');
      expect(titles()).toEqual(['Mine', 'Theirs']);
    }
  });

  it('in place of the state folder is rejected', async () => {
    const { syncOnce, root, home } = await createEnvironment();
    await symlink(join(home, 'outside'), join(root, '.commonplace'));
    await expect(syncOnce()).rejects.toThrow('is a link or a file');
    expect(await readdir(join(home, 'outside'))).toEqual([]);
  });
});

describe('an error of one file', () => {
  it('such as a folder or file that blocks a note is reported, and does not affect other files', async () => {
    const { syncOnce, agentWrites, root } = await createEnvironment();
    await mkdir(join(root, 'a.md'));
    await writeFile(join(root, 'd'), 'a file where a folder must be\n');
    const a = await agentWrites({ title: 'a', content: 'a\n' });
    const b = await agentWrites({ title: 'b', folder: 'd', content: 'b\n' });
    await agentWrites({ title: 'c', content: 'c\n' });
    await agentWrites({ title: 'e', folder: 'c.md', content: 'e\n' });
    for (let count = 0; count < 2; count += 1) {
      expect(problemsOf(await syncOnce())).toEqual(['d/b.md: d is a file, not a folder']);
    }
    const files = (await readdir(root)).filter((name) => !name.startsWith('.')).toSorted();
    expect(files).toEqual(['a (2).md', 'a.md', 'c.md', 'c.md_', 'd']);
    await agentWrites(null, a);
    await agentWrites(null, b);
    expect(problemsOf(await syncOnce())).toEqual([]);
    expect((await readdir(root)).includes('a (2).md')).toBe(false);
  });

  it('in the journal of a killed program does not outlast its note', async () => {
    const { syncOnce, root, agentWrites } = await createEnvironment();
    await agentWrites({ title: 'x', content: 'x\n' });
    await syncOnce();
    // The journal of a program that was killed while it wrote `a`; then `a.md` becomes a folder.
    await writeFile(
      join(root, '.commonplace', 'plan.json'),
      JSON.stringify([
        {
          noteId: 'n',
          path: 'a.md',
          from: null,
          origin: { revision: 1 },
          fileHash: 'f',
          textHash: 't',
        },
        {
          noteId: 'm',
          path: 'x.md/b.md',
          from: 'q/q.md',
          origin: { revision: 1 },
          fileHash: 'f',
          textHash: 't',
        },
      ]),
    );
    await mkdir(join(root, 'a.md'));
    expect(problemsOf(await syncOnce())).toEqual([]);
  });
});

describe('a rewritten file', () => {
  it('keeps its mode and its owner, also when it moves', async () => {
    const { syncOnce, agentWrites, root } = await createEnvironment();
    const id = await agentWrites({ title: 'a', content: 'one\n' });
    await syncOnce();
    await chmod(join(root, 'a.md'), 0o640);
    const isRoot = process.getuid?.() === 0;
    await (isRoot ? chown(join(root, 'a.md'), 1234, 2345) : Promise.resolve());
    await agentWrites({ title: 'a', content: 'two\n' }, id);
    await syncOnce();
    await agentWrites({ title: 'b', content: 'three\n', folder: 'd' }, id);
    await syncOnce();
    const { mode, uid } = await stat(join(root, 'd', 'b.md'));
    expect(await readFile(join(root, 'd', 'b.md'), 'utf8')).toBe('three\n');
    expect([(mode & 0o777).toString(8), isRoot ? uid : 1234]).toEqual(['640', 1234]);
  });

  it('loses no edit made right after it was written', async () => {
    const { syncOnce, agentWrites, root, server } = await createEnvironment();
    await agentWrites({ title: 'a', content: 'theirs\n' });
    await syncOnce();
    // The same size, written in place.
    await writeFile(join(root, 'a.md'), 'myself\n');
    await syncOnce();
    expect([...server.activeNotes().values()]).toMatchObject([{ content: 'myself\n' }]);
  });

  it('stays the file of its note when it is renamed and edited before the next scan', async () => {
    const { syncOnce, agentWrites, root, server } = await createEnvironment();
    const id = await agentWrites({ title: 'a', content: 'theirs\n' });
    await syncOnce();
    await rename(join(root, 'a.md'), join(root, 'b.md'));
    await writeFile(join(root, 'b.md'), 'mine\n');
    await writeFile(join(root, 'a.md'), 'another\n');
    await syncOnce();
    expect(server.activeNotes().get(id)).toMatchObject({ title: 'b', content: 'mine\n' });
    expect([...server.activeNotes().values()].map(({ title }) => title).toSorted()).toEqual([
      'a',
      'b',
    ]);
  });

  it('is not confused with a file created at its path after a kill', async () => {
    const { syncOnce, root, server, agentWrites } = await createEnvironment();
    await agentWrites({ title: 'other', content: 'x\n' });
    await syncOnce();
    const id = await agentWrites({ title: 'a', content: 'theirs\n' });
    await writeFile(
      join(root, '.commonplace', 'plan.json'),
      JSON.stringify([
        {
          noteId: id,
          path: 'a.md',
          from: null,
          origin: { revision: 1 },
          fileHash: 'f',
          textHash: 't',
        },
      ]),
    );
    await writeFile(join(root, 'a.md'), 'mine\n');
    await syncOnce();
    expect(server.activeNotes().get(id)).toMatchObject({ content: 'theirs\n' });
    const contents = [...server.activeNotes().values()].map(({ content }) => content).toSorted();
    expect(contents).toEqual(['mine\n', 'theirs\n', 'x\n']);
    expect(await readFile(join(root, 'a.md'), 'utf8')).toBe('mine\n');
  });

  it('stays the file of its note when its folder is moved after a kill', async () => {
    const { syncOnce, root, server, agentWrites } = await createEnvironment();
    await agentWrites({ title: 'other', content: 'x\n' });
    await syncOnce();
    const id = await agentWrites({ title: 'a', content: 'theirs\n', folder: 'd' });
    const own = join(root, '.commonplace');
    const before = await readFile(join(own, 'files.json'), 'utf8');
    // The program wrote the file, and was killed before it stored that.
    await syncOnce();
    const written = JSON.parse(await readFile(join(own, 'files.json'), 'utf8')) as {
      files: [string, object][];
    };
    const [, entry] = written.files.find(([path]) => path === 'd/a.md') ?? [];
    await writeFile(join(own, 'files.json'), before);
    await writeFile(
      join(own, 'plan.json'),
      JSON.stringify([{ ...entry, path: 'd/a.md', from: null }]),
    );
    await link(join(root, 'd', 'a.md'), join(own, 'fresh', `${id}.md`));
    await rename(join(root, 'd'), join(root, 'e'));
    await syncOnce();
    expect([...server.activeNotes()]).toMatchObject([
      [expect.any(String), { title: 'other' }],
      [id, { title: 'a', folder: 'e', content: 'theirs\n' }],
    ]);
    expect((await readdir(root)).toSorted()).toEqual(['.commonplace', 'e', 'other.md']);
  });

  it('does not change the content of a hard link to the old file', async () => {
    const { syncOnce, root, agentWrites, home } = await createEnvironment();
    const id = await agentWrites({ title: 'a', content: 'one\n' });
    await syncOnce();
    await link(join(root, 'a.md'), join(home, 'outside', 'second name'));
    await agentWrites({ title: 'a', content: 'two\n' }, id);
    await syncOnce();
    expect(await readFile(join(home, 'outside', 'second name'), 'utf8')).toBe('one\n');
  });
});

describe('a digest that still differs after a full pull', () => {
  it('is reported as a problem, and the files stay as they are', async () => {
    const { server, syncOnce, agentWrites, root } = await createEnvironment();
    await agentWrites({ title: 'Kept', content: 'kept\n' });
    await syncOnce();
    server.isDigestWrong = true;
    expect(problemsOf(await syncOnce())).toEqual([
      expect.stringMatching(/^\.: after a full pull .* differ from the server's digest/),
    ]);
    expect(await readdir(root)).toContain('Kept.md');
    server.isDigestWrong = false;
    expect(problemsOf(await syncOnce())).toEqual([]);
  });
});

describe('the journal', () => {
  it('opens when it is longer than the longest string', async () => {
    const { home } = await createEnvironment();
    const path = join(home, 'replica.jsonl');
    const progress = { clientId: 'c', cursor: null, isPullingAfresh: true, job: null };
    const content = 'x'.repeat(8 * 1024 * 1024);
    const text = {
      title: 't',
      content,
      folder: '',
      tags: [],
      pinned: false,
      archived: false,
      properties: {},
    };
    const note = { id: 'a', server: null, outstanding: null, refusal: null, isUnseen: false };
    const line = `${JSON.stringify({ progress, notes: [{ ...note, draft: { text, origin: { revision: null } } }] })}\n`;
    const file = await open(path, 'w');
    for (let bytes = 0; bytes < 2 ** 29 + line.length; bytes += line.length) {
      await file.writeFile(line);
    }
    await file.close();
    const store = await openFileStore(path);
    const state = await store.load();
    expect(state?.notes.map(({ id, draft }) => [id, draft?.text?.content.length])).toEqual([
      ['a', content.length],
    ]);
    // The first write compacts it.
    await store.save({ progress, notes: [] });
    expect((await stat(path)).size).toBeLessThan(2 * line.length);
    await store.close();
  }, 120_000);
});

it('a folder that its owner may list and not enter keeps its notes', async () => {
  const { server, home, root } = await createEnvironment();
  // File modes do not restrict root, so the program runs as another user if possible.
  const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
  const { createServer } = await import('node:http');
  const http = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) {
        chunks.push(chunk as Buffer);
      }
      const body = Buffer.concat(chunks);
      const response = await server.fetch(
        new Request(`http://simulated.test${req.url ?? ''}`, {
          method: req.method ?? 'GET',
          ...(body.length > 0 ? { body } : {}),
        }),
      );
      res.writeHead(response.status, { 'content-type': 'application/json' });
      res.end(await response.text());
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const program = fileURLToPath(new URL('sync-once.ts', import.meta.url));
  const syncOnce = async (): Promise<string> => {
    const child = spawn(process.execPath, [program, root, `http://127.0.0.1:${port}`], {
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: nodeEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    await once(child, 'close');
    return output;
  };
  await mkdir(join(root, 'locked'));
  await writeFile(join(root, 'locked', 'Kept.md'), 'kept\n');
  await chmod(home, 0o755);
  for (const path of [root, join(root, 'locked'), join(root, 'locked', 'Kept.md')]) {
    await chown(path, uid ?? 0, uid ?? 0);
  }
  expect(await syncOnce()).toBe('[]');
  for (const mode of [0o400, 0o000]) {
    await chmod(join(root, 'locked'), mode);
    expect(await syncOnce()).toContain('not deleted');
    expect([...server.activeNotes().values()]).toMatchObject([{ title: 'Kept' }]);
  }
  await chmod(join(root, 'locked'), 0o700);
  expect(await syncOnce()).toBe('[]');
  expect([...server.activeNotes().values()]).toMatchObject([{ title: 'Kept', content: 'kept\n' }]);
  http.closeAllConnections();
  http.close();
}, 60_000);
