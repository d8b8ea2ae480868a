import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createClient,
  createMemoryStore,
  openSyncClient,
  type NoteText,
} from '@commonplace/client';
import { openFileStore } from '../src/sync/file-store.ts';
import { openFolder } from '../src/sync/open-folder.ts';
import { openFolderSync } from '../src/sync/sync-folder.ts';
import { SimulatedServer } from './simulated-server.ts';

const roots: string[] = [];
afterEach(() =>
  Promise.all(roots.splice(0).map((root) => rm(root, { recursive: true, force: true }))),
);

/** A server, an agent that writes notes on it, and a folder on this disk. */
const makeWorld = async () => {
  const server = new SimulatedServer();
  const fetch = server.fetch;
  const api = createClient({ baseUrl: 'http://simulated.test', retry: { attempts: 1 }, fetch });
  const home = await mkdtemp(join(tmpdir(), 'commonplace-safety-'));
  roots.push(home);
  const root = join(home, 'notes');
  await mkdir(root);
  await mkdir(join(home, 'outside'));
  const agent = await openSyncClient({ api, store: createMemoryStore() });
  const look = async () => {
    const opened = await openFolder(api, root, {
      baseUrl: 'http://simulated.test',
      companyId: 'c',
    });
    try {
      return await openFolderSync(opened.folder)({
        mayDelete: true,
        mayDeleteMany: true,
        isPatient: false,
      });
    } finally {
      await opened.close();
    }
  };
  const agentWrites = async (text: Partial<NoteText> | null, id: string = crypto.randomUUID()) => {
    await agent.synchronise();
    await agent.edit([{ id, text }]);
    await agent.synchronise();
    return id;
  };
  const titles = (): string[] => [...server.living().values()].map(({ title }) => title).toSorted();
  const write = (path: string, text: string): Promise<void> => writeFile(join(root, path), text);
  return { server, home, root, look, agentWrites, titles, write };
};

const problemsOf = (tally: {
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
}) => tally.problems.map(({ path, problem }) => `${path}: ${problem}`);

describe('--delete', () => {
  it.each([
    ['title', { title: ' .plan' }],
    ['title', { title: '\u00a0..plan' }],
    ['folder', { title: 'Plan', folder: ' .d/e' }],
  ])('keeps a note whose %s begins with blanks and dots: %j', async (_, text) => {
    const { look, agentWrites, server } = await makeWorld();
    await agentWrites(text);
    await look();
    expect(problemsOf(await look())).toEqual([]);
    await look();
    expect([...server.living().values()]).toMatchObject([text]);
  });

  it('keeps the notes of a folder that became a link, under its own name or another', async () => {
    const { look, titles, root, home, write } = await makeWorld();
    await mkdir(join(root, 'd'));
    await write('d/Kept.md', 'kept\n');
    await look();
    await rename(join(root, 'd'), join(home, 'outside', 'd'));
    await symlink(join(home, 'outside', 'd'), join(root, 'd'));
    expect(problemsOf(await look())).toEqual([
      'd/Kept.md: not deleted: d is a link, and links are not followed',
    ]);
    await rename(join(root, 'd'), join(root, 'other'));
    expect(problemsOf(await look())).toEqual([
      'd/Kept.md: not deleted: other is new, cannot be read, and may be it',
    ]);
    expect(titles()).toEqual(['Kept']);
    await rm(join(root, 'other'));
    await look();
    expect(titles()).toEqual([]);
  });

  it('keeps the note of a renamed file with a mistake in its front matter, which stays its file', async () => {
    const { look, titles, root, server, write } = await makeWorld();
    await write('Old.md', 'text\n');
    await look();
    const [id] = server.living().keys();
    await rename(join(root, 'Old.md'), join(root, 'New.md'));
    await write('New.md', '---\ntags: [open\n---\ntext\n');
    expect(problemsOf(await look())).toEqual([
      expect.stringContaining('New.md: the front matter is no YAML'),
    ]);
    expect(titles()).toEqual(['Old']);
    await write('New.md', '---\ntags: [open]\n---\ntext\n');
    await look();
    expect([...server.living()]).toMatchObject([[id, { title: 'New', tags: ['open'] }]]);
  });

  it('keeps a note whose file was replaced by a new one that cannot be read, under another name', async () => {
    const { look, titles, root, write } = await makeWorld();
    await write('Old.md', 'text\n');
    await look();
    await write('New.md', '---\ntags: [open\n---\ntext\n');
    await rm(join(root, 'Old.md'));
    await look();
    await look();
    expect(titles()).toEqual(['Old']);
    await write('New.md', 'another\n');
    await look();
    expect(titles()).toEqual(['New']);
  });

  it('deletes beside a file that could not be read before', async () => {
    const { look, titles, root, write } = await makeWorld();
    await write('Broken.md', '---\ntags: [open\n---\n');
    await write('Gone.md', 'gone\n');
    await look();
    await rm(join(root, 'Gone.md'));
    await look();
    expect(titles()).toEqual([]);
  });

  it('takes a new file with the number of a deleted one for a new note', async () => {
    const { look, root, server, write } = await makeWorld();
    await write('Old.md', 'old\n');
    await look();
    const [old = ''] = server.living().keys();
    const { ino } = await stat(join(root, 'Old.md'));
    await rm(join(root, 'Old.md'));
    // The file system gives the number to one of the next files, or it does not: both must be right.
    const names = Array.from({ length: 20 }, (_, index) => `New ${index}.md`);
    for (const name of names) {
      await write(name, `${name}\n`);
    }
    await look();
    const inodes = await Promise.all(names.map(async (name) => (await stat(join(root, name))).ino));
    expect({ isReused: inodes.includes(ino), has: server.living().has(old) }).toEqual({
      isReused: inodes.includes(ino),
      has: false,
    });
    expect(server.living().size).toBe(20);
  });
});

describe('a link in the folder', () => {
  it('is never written through', async () => {
    const { look, agentWrites, root, home, titles, write } = await makeWorld();
    await writeFile(join(home, 'outside', 'Plan.md'), 'theirs\n');
    await symlink(join(home, 'outside'), join(root, 'd'));
    await symlink(join(home, 'outside', 'Plan.md'), join(root, 'Plan.md'));
    await write('Mine.md', 'mine\n');
    await agentWrites({ title: 'New', folder: 'd', content: 'new\n' });
    await agentWrites({ title: 'Plan', content: 'plan\n' });
    const tally = await look();
    expect(problemsOf(tally)).toEqual(['d/New.md: d is a link, and links are not followed']);
    expect(await readdir(join(home, 'outside'))).toEqual(['Plan.md']);
    expect(await readFile(join(home, 'outside', 'Plan.md'), 'utf8')).toBe('theirs\n');
    expect(await readFile(join(root, 'Plan (2).md'), 'utf8')).toBe('---\ntitle: Plan\n---\nplan\n');
    expect(titles()).toEqual(['Mine', 'New', 'Plan']);
  });

  it('keeps the file of a conflict whose copy belongs behind it', async () => {
    const { look, agentWrites, root, home, titles, write } = await makeWorld();
    const id = await agentWrites({ title: 'Plan', content: 'one\n', folder: 'd' });
    await look();
    await rename(join(root, 'd', 'Plan.md'), join(root, 'Mine.md'));
    await write('Mine.md', '---\nfolder: d\n---\none\nmine\n');
    await rm(join(root, 'd'), { recursive: true });
    await symlink(join(home, 'outside'), join(root, 'd'));
    await agentWrites({ title: 'Theirs', content: 'one\n', folder: '' }, id);
    const blocked = [
      expect.stringMatching(/^d\/Mine .*: d is a link, and links are not followed$/),
    ];
    for (const files of [['Mine.md'], ['Mine.md', 'Theirs.md'], ['Mine.md', 'Theirs.md']]) {
      expect(problemsOf(await look())).toEqual(blocked);
      expect((await readdir(root)).filter((name) => name.endsWith('.md')).toSorted()).toEqual(
        files,
      );
      expect(await readFile(join(root, 'Mine.md'), 'utf8')).toContain('mine\n');
      expect(titles()).toEqual(['Mine', 'Theirs']);
    }
  });

  it('to our own folder is refused', async () => {
    const { look, root, home } = await makeWorld();
    await symlink(join(home, 'outside'), join(root, '.commonplace'));
    await expect(look()).rejects.toThrow('is a link or a file');
    expect(await readdir(join(home, 'outside'))).toEqual([]);
  });
});

describe('one file’s trouble', () => {
  it('is that file’s: a folder or a file in the way of a note is told, and nothing else waits', async () => {
    const { look, agentWrites, root } = await makeWorld();
    await mkdir(join(root, 'a.md'));
    await writeFile(join(root, 'd'), 'a file where a folder must be\n');
    const a = await agentWrites({ title: 'a', content: 'a\n' });
    const b = await agentWrites({ title: 'b', folder: 'd', content: 'b\n' });
    await agentWrites({ title: 'c', content: 'c\n' });
    await agentWrites({ title: 'e', folder: 'c.md', content: 'e\n' });
    for (let count = 0; count < 2; count += 1) {
      expect(problemsOf(await look())).toEqual(['d/b.md: d is a file, not a folder']);
    }
    const files = (await readdir(root)).filter((name) => !name.startsWith('.')).toSorted();
    expect(files).toEqual(['a (2).md', 'a.md', 'c.md', 'c.md_', 'd']);
    await agentWrites(null, a);
    await agentWrites(null, b);
    expect(problemsOf(await look())).toEqual([]);
    expect((await readdir(root)).includes('a (2).md')).toBe(false);
  });

  it('of a folder from before, with a note that is gone, is over', async () => {
    const { look, root, agentWrites } = await makeWorld();
    await agentWrites({ title: 'x', content: 'x\n' });
    await look();
    // What a program leaves that is killed as it writes `a`, and then `a.md` becomes a folder.
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
    expect(problemsOf(await look())).toEqual([]);
  });
});

describe('a file that is written anew', () => {
  it('keeps its mode and its owner, also when it moves', async () => {
    const { look, agentWrites, root } = await makeWorld();
    const id = await agentWrites({ title: 'a', content: 'one\n' });
    await look();
    await chmod(join(root, 'a.md'), 0o640);
    const isRoot = process.getuid?.() === 0;
    await (isRoot ? chown(join(root, 'a.md'), 1234, 2345) : Promise.resolve());
    await agentWrites({ title: 'a', content: 'two\n' }, id);
    await look();
    await agentWrites({ title: 'b', content: 'three\n', folder: 'd' }, id);
    await look();
    const { mode, uid } = await stat(join(root, 'd', 'b.md'));
    expect(await readFile(join(root, 'd', 'b.md'), 'utf8')).toBe('three\n');
    expect([(mode & 0o777).toString(8), isRoot ? uid : 1234]).toEqual(['640', 1234]);
  });

  it('loses no edit made in the instant it appears', async () => {
    const { look, agentWrites, root, server } = await makeWorld();
    await agentWrites({ title: 'a', content: 'theirs\n' });
    await look();
    // Of the same size, and in place.
    await writeFile(join(root, 'a.md'), 'myself\n');
    await look();
    expect([...server.living().values()]).toMatchObject([{ content: 'myself\n' }]);
  });

  it('stays its note’s when it is renamed and edited before anything looked at it', async () => {
    const { look, agentWrites, root, server } = await makeWorld();
    const id = await agentWrites({ title: 'a', content: 'theirs\n' });
    await look();
    await rename(join(root, 'a.md'), join(root, 'b.md'));
    await writeFile(join(root, 'b.md'), 'mine\n');
    await writeFile(join(root, 'a.md'), 'another\n');
    await look();
    expect(server.living().get(id)).toMatchObject({ title: 'b', content: 'mine\n' });
    expect([...server.living().values()].map(({ title }) => title).toSorted()).toEqual(['a', 'b']);
  });

  it('is not what somebody made in its place after a kill', async () => {
    const { look, root, server, agentWrites } = await makeWorld();
    await agentWrites({ title: 'other', content: 'x\n' });
    await look();
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
    await look();
    expect(server.living().get(id)).toMatchObject({ content: 'theirs\n' });
    const contents = [...server.living().values()].map(({ content }) => content).toSorted();
    expect(contents).toEqual(['mine\n', 'theirs\n', 'x\n']);
    expect(await readFile(join(root, 'a.md'), 'utf8')).toBe('mine\n');
  });

  it('stays its note’s when its folder is moved before a kill is noticed', async () => {
    const { look, root, server, agentWrites } = await makeWorld();
    await agentWrites({ title: 'other', content: 'x\n' });
    await look();
    const id = await agentWrites({ title: 'a', content: 'theirs\n', folder: 'd' });
    const own = join(root, '.commonplace');
    const before = await readFile(join(own, 'files.json'), 'utf8');
    // The look wrote the file, and was killed before it wrote that down.
    await look();
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
    await look();
    expect([...server.living()]).toMatchObject([
      [expect.any(String), { title: 'other' }],
      [id, { title: 'a', folder: 'e', content: 'theirs\n' }],
    ]);
    expect((await readdir(root)).toSorted()).toEqual(['.commonplace', 'e', 'other.md']);
  });

  it('is one of two names of a file only once', async () => {
    const { look, root, agentWrites, home } = await makeWorld();
    const id = await agentWrites({ title: 'a', content: 'one\n' });
    await look();
    await link(join(root, 'a.md'), join(home, 'outside', 'second name'));
    await agentWrites({ title: 'a', content: 'two\n' }, id);
    await look();
    expect(await readFile(join(home, 'outside', 'second name'), 'utf8')).toBe('one\n');
  });
});

describe('a digest that does not fit, also after a full pull', () => {
  it('is told, and is no success; the files stay as they are', async () => {
    const { server, look, agentWrites, root } = await makeWorld();
    await agentWrites({ title: 'Kept', content: 'kept\n' });
    await look();
    server.isDigestWrong = true;
    expect(problemsOf(await look())).toEqual([
      expect.stringMatching(/^\.: after a full pull .* differ from the server's digest/),
    ]);
    expect(await readdir(root)).toContain('Kept.md');
    server.isDigestWrong = false;
    expect(problemsOf(await look())).toEqual([]);
  });
});

describe('the journal', () => {
  it('opens when it is longer than any text can be', async () => {
    const { home } = await makeWorld();
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
    // The first write finds that it says little for its length, and makes it short.
    await store.save({ progress, notes: [] });
    expect((await stat(path)).size).toBeLessThan(2 * line.length);
    await store.close();
  }, 120_000);
});

it('a folder that its owner may list and not enter keeps its notes', async () => {
  const { server, home, root } = await makeWorld();
  // Modes do not bind root: the program runs as somebody else, where it can.
  const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
  const { createServer } = await import('node:http');
  const http = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) {
        chunks.push(chunk as Buffer);
      }
      const body = Buffer.concat(chunks);
      const answer = await server.fetch(
        new Request(`http://simulated.test${req.url ?? ''}`, {
          method: req.method ?? 'GET',
          ...(body.length > 0 ? { body } : {}),
        }),
      );
      res.writeHead(answer.status, { 'content-type': 'application/json' });
      res.end(await answer.text());
    })();
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const program = fileURLToPath(new URL('look-once.ts', import.meta.url));
  const look = async (): Promise<string> => {
    const child = spawn(process.execPath, [program, root, `http://127.0.0.1:${port}`], {
      ...(uid === undefined ? {} : { uid, gid: uid }),
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (text: Buffer) => (said += text.toString()));
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    await once(child, 'close');
    return said;
  };
  await mkdir(join(root, 'locked'));
  await writeFile(join(root, 'locked', 'Kept.md'), 'kept\n');
  await chmod(home, 0o755);
  for (const path of [root, join(root, 'locked'), join(root, 'locked', 'Kept.md')]) {
    await chown(path, uid ?? 0, uid ?? 0);
  }
  expect(await look()).toBe('[]');
  for (const mode of [0o400, 0o000]) {
    await chmod(join(root, 'locked'), mode);
    expect(await look()).toContain('not deleted');
    expect([...server.living().values()]).toMatchObject([{ title: 'Kept' }]);
  }
  await chmod(join(root, 'locked'), 0o700);
  expect(await look()).toBe('[]');
  expect([...server.living().values()]).toMatchObject([{ title: 'Kept', content: 'kept\n' }]);
  http.closeAllConnections();
  http.close();
}, 60_000);
