import { mkdir, readdir, rmdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { stopLeftovers } from './run-cli.ts';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
  type TestFolder,
} from './sync-environment.ts';

// Every test starts the program several times, which takes seconds on a busy machine.
jest.setTimeout(120_000);

let environment: SyncEnvironment;
beforeAll(async () => {
  environment = await startSyncEnvironment();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => environment.stop());

const setUp = async () => {
  const company = await environment.company();
  return { company, folder: await environment.folder() };
};

/** Synchronises once. Returns the exit code and the output. */
const syncOnce = async (company: SyncCompany, folder: TestFolder, ...args: string[]) => {
  const { code, stderr } = await environment.syncToEnd(company, folder, ...args);
  return { code, output: stderr };
};

/** The lines of a dry run. */
const planned = async (company: SyncCompany, folder: TestFolder, ...options: string[]) => {
  const { stdout } = await environment.syncToEnd(company, folder, '--dry-run', ...options);
  return stdout.trimEnd().split('\n').toSorted();
};

describe('a folder and a company', () => {
  it('become equal: files become notes and notes become files, with folders and front matter', async () => {
    const { company, folder } = await setUp();
    await folder.write('Plan.md', 'first line\n');
    await folder.write(
      'projects/2026/Launch.md',
      '---\ntags: [go, ship]\npinned: true\nstatus: draft\n---\nbody\n',
    );
    await company.api.put('/api/notes/{id}', {
      params: { path: { id: '01890a5d-ac96-774b-bcce-b302099a8001' } },
      body: { title: 'From: the server?', content: 'hello', folder: 'in', tags: ['x'] },
    });
    expect(await syncOnce(company, folder)).toEqual({
      code: 0,
      output: 'commonplace sync: sent 2 created; received 1 created\n',
    });
    expect(await company.note('Launch')).toMatchObject({
      content: 'body\n',
      folder: 'projects/2026',
      tags: ['go', 'ship'],
      pinned: true,
      properties: { status: 'draft' },
      createdBy: { kind: 'agent' },
    });
    expect(await folder.files()).toEqual({
      'Plan.md': 'first line\n',
      'projects/2026/Launch.md': '---\ntags: [go, ship]\npinned: true\nstatus: draft\n---\nbody\n',
      'in/From- the server-.md': '---\ntitle: "From: the server?"\ntags:\n  - x\n---\nhello',
    });
    expect((await syncOnce(company, folder)).output).toBe('commonplace sync: nothing to do\n');
  });

  it('exchange changes of either side, and a moved or renamed file stays the same note', async () => {
    const { company, folder } = await setUp();
    await folder.write('A.md', 'one\n');
    await folder.write('B.md', 'two\n');
    await syncOnce(company, folder);
    const before = await company.note('A');
    await folder.write('archive/A renamed.md', 'one\n');
    await folder.remove('A.md');
    const b = await company.note('B');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id: b.id } },
      body: { title: 'B', content: 'two, by an agent\n', folder: 'elsewhere' },
    });
    expect((await syncOnce(company, folder)).code).toBe(0);
    expect(await company.note('A renamed')).toMatchObject({ id: before.id, folder: 'archive' });
    expect(await folder.files()).toEqual({
      'archive/A renamed.md': 'one\n',
      'elsewhere/B.md': 'two, by an agent\n',
    });
  });

  it('merge changes of both sides, and keep both texts where that is impossible', async () => {
    const { company, folder } = await setUp();
    await folder.write('Merge.md', 'a\nb\nc\nd\ne\n');
    await folder.write('Clash.md', 'same line\n');
    await syncOnce(company, folder);
    for (const [title, content] of [
      ['Merge', 'a, theirs\nb\nc\nd\ne\n'],
      ['Clash', 'their line\n'],
    ] as const) {
      const { id } = await company.note(title);
      await company.api.put('/api/notes/{id}', {
        params: { path: { id } },
        body: { title, content },
      });
    }
    await folder.write('Merge.md', 'a\nb\nc\nd\ne, ours\n');
    await folder.write('Clash.md', 'our line\n');
    const { code, output } = await syncOnce(company, folder);
    expect(code).toBe(0);
    expect(output).toContain('1 merged');
    expect(output).toContain('conflict: Clash.md');
    const files = await folder.files();
    expect(files['Merge.md']).toBe('a, theirs\nb\nc\nd\ne, ours\n');
    expect(files['Clash.md']).toBe('their line\n');
    const [copy = ''] = Object.keys(files).filter((path) => path.startsWith('Clash (conflict'));
    expect(files[copy]).toBe('---\ntitle: Clash\n---\nour line\n');
    expect((await syncOnce(company, folder)).output).toBe('commonplace sync: nothing to do\n');
    // Resolves the conflict as docs/sync.md describes.
    await folder.write('Clash.md', 'our line and theirs\n');
    await folder.remove(copy);
    expect((await syncOnce(company, folder, '--delete')).code).toBe(0);
    expect(await folder.files()).toEqual({
      'Clash.md': 'our line and theirs\n',
      'Merge.md': 'a, theirs\nb\nc\nd\ne, ours\n',
    });
    const { data } = await company.api.get('/api/notes', { params: { query: { view: 'full' } } });
    expect(data.items.map(({ title, content }) => [title, content]).toSorted()).toEqual([
      ['Clash', 'our line and theirs\n'],
      ['Merge', 'a, theirs\nb\nc\nd\ne, ours\n'],
    ]);
  });

  it('name a file after its title, unless its front matter has the title', async () => {
    const { company, folder } = await setUp();
    await folder.write('draft.md', '---\ntitle: Plan of May\n---\ntext\n');
    await syncOnce(company, folder);
    expect(await folder.files()).toEqual({ 'draft.md': '---\ntitle: Plan of May\n---\ntext\n' });
    const { id } = await company.note('Plan of May');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id } },
      body: { title: 'Plan of June', content: 'text\n', folder: 'plans' },
    });
    await syncOnce(company, folder);
    expect(await folder.files()).toEqual({ 'plans/Plan of June.md': 'text\n' });
    await folder.write('plans/Plan of June.md', '---\ntitle: Plan of July\n---\ntext\n');
    await syncOnce(company, folder);
    const file = '---\ntitle: Plan of July\n---\ntext\n';
    expect(await folder.files()).toEqual({ 'plans/Plan of June.md': file });
    expect((await company.note('Plan of July')).id).toBe(id);
  });
});

describe('deleting', () => {
  it('needs --delete; without it the file is restored', async () => {
    const { company, folder } = await setUp();
    await folder.write('Keep.md', 'kept\n');
    await folder.write('Other.md', 'other\n');
    await syncOnce(company, folder);
    await folder.remove('Keep.md');
    await mkdir(join(folder.root, 'Keep.md'));
    const doubtful = 'would keep: Keep.md: another entry has its name';
    expect(await planned(company, folder, '--delete')).toEqual([doubtful]);
    await rmdir(join(folder.root, 'Keep.md'));
    expect((await syncOnce(company, folder)).output).toContain('restored: Keep.md');
    expect((await folder.files())['Keep.md']).toBe('kept\n');
    await folder.remove('Keep.md');
    expect((await syncOnce(company, folder, '--delete')).output).toContain('1 deleted');
    expect((await company.notes()).map(({ title }) => title)).toEqual(['Other']);
  });

  it('of many files at once needs --delete-many', async () => {
    const { company, folder } = await setUp();
    const names = Array.from({ length: 12 }, (_, index) => `N${index}.md`);
    await Promise.all(names.map((name) => folder.write(name, name)));
    await syncOnce(company, folder);
    await Promise.all(names.slice(1).map(folder.remove));
    const planOf = (...options: string[]) => planned(company, folder, ...options);
    const gone = names.slice(1).toSorted();
    await folder.write('N0.md', 'edited\n');
    const edited = 'would send: N0.md (changed)';
    expect(await planOf()).toEqual([...gone.map((name) => `would restore: ${name}`), edited]);
    const refusal = await planOf('--delete');
    expect(refusal).toEqual([
      ...gone.map((name) => `missing: ${name}`),
      expect.stringMatching(
        /^would hold back deletions: 11 of 12 files are missing.*--delete-many/,
      ),
      edited,
    ]);
    expect(await planOf('--delete-many')).toEqual([
      ...gone.map((name) => `would delete: ${name}`),
      edited,
    ]);
    const refused = await syncOnce(company, folder, '--delete');
    expect([refused.code, refused.output]).toEqual([125, expect.stringContaining('--delete-many')]);
    expect(await company.notes()).toHaveLength(12);
    expect((await company.note('N0')).content).toBe('edited\n');
    await folder.write('N0.md', 'edited again\n');
    expect((await syncOnce(company, folder, '--delete-many')).code).toBe(0);
    expect(await company.notes()).toHaveLength(1);
  });

  it('on the server removes the file, unless it was edited: an edit beats a delete', async () => {
    const { company, folder } = await setUp();
    await folder.write('Gone.md', 'gone\n');
    await folder.write('Edited.md', 'before\n');
    await syncOnce(company, folder);
    for (const title of ['Gone', 'Edited']) {
      const { id } = await company.note(title);
      await company.api.delete('/api/notes/{id}', { params: { path: { id } } });
    }
    await folder.write('Edited.md', 'after\n');
    await syncOnce(company, folder);
    expect(await folder.files()).toEqual({ 'Edited.md': 'after\n' });
    expect(await company.note('Edited')).toMatchObject({ content: 'after\n' });
  });
});

describe('input that cannot be synchronised', () => {
  it('is skipped and reported, and does not affect other files', async () => {
    const { company, folder } = await setUp();
    await folder.write('Fine.md', 'fine');
    await folder.write('Big.md', 'x'.repeat(512 * 1024 + 1));
    await folder.write('Tags.md', `---\ntags: [${'x'.repeat(100)}]\n---\ntext`);
    await folder.write('Zero.md', 'a\u0000b');
    await folder.write('picture.png', 'no note');
    await folder.write('.hidden/Secret.md', 'hidden');
    await symlink('/etc/hostname', join(folder.root, 'Link.md'));
    const { code, output } = await syncOnce(company, folder);
    expect(code).toBe(1);
    expect(output).toContain('skipped: Big.md: content must be at most 524288 bytes');
    expect(output).toContain('skipped: Tags.md: tags.0 must be 1 to');
    expect(output).toContain('skipped: Zero.md');
    expect((await company.notes()).map(({ title }) => title)).toEqual(['Fine']);
  });

  it('with --dry-run is only listed, on standard output, and nothing changes', async () => {
    const { company, folder } = await setUp();
    const planOf = async () => {
      const cli = environment.sync(company, folder, '--dry-run');
      return [await cli.ended, cli.stdout(), cli.stderr()];
    };
    expect(await planOf()).toEqual([0, 'nothing to send\n', '']);
    await folder.write('New.md', 'new');
    expect(await planOf()).toEqual([0, 'would send: New.md (new)\n', '']);
    expect(await company.notes()).toEqual([]);
  });

  it('with --dry-run shows renames, and neither creates nor follows what is no folder', async () => {
    const { company, folder } = await setUp();
    await folder.write('Move.md', '---\nfolder: plans\n---\n');
    const planned = environment.sync(company, folder, '--dry-run');
    await planned.ended;
    expect(planned.stdout()).toContain('would rename: Move.md to plans/Move.md');
    expect(await readdir(folder.root)).toEqual(['Move.md']);
    const missing = { ...folder, root: join(folder.root, 'missing') };
    const absent = await syncOnce(company, missing, '--dry-run');
    expect([absent.code, absent.output]).toEqual([
      125,
      expect.stringContaining('there is no folder'),
    ]);
    expect(await readdir(folder.root)).toEqual(['Move.md']);
    const file = await syncOnce(company, { ...folder, root: join(folder.root, 'Move.md') });
    expect([file.code, file.output]).toEqual([125, expect.stringContaining('is not a folder')]);
  });

  it('includes the folder of another company, and an invalid key', async () => {
    const { company, folder } = await setUp();
    await syncOnce(company, folder);
    const other = await environment.company();
    const { code, output } = await syncOnce(other, folder);
    expect([code, output]).toEqual([125, expect.stringContaining(`company ${company.companyId}`)]);
    const cli = environment.sync({ ...company, key: 'cpk_wrong' }, folder);
    expect([await cli.ended, cli.stderr()]).toEqual([
      125,
      expect.not.stringContaining('cpk_wrong'),
    ]);
  });
});

it('pushes thousands of files as background jobs, and recognises existing notes without its state', async () => {
  const { company, folder } = await setUp();
  const names = Array.from({ length: 1_200 }, (_, index) => `many/Note ${index}.md`);
  await Promise.all(names.map((name) => folder.write(name, `text of ${name}\n`)));
  expect((await syncOnce(company, folder, '--background')).code).toBe(0);
  expect(await company.notes()).toHaveLength(1_200);
  const second = await environment.folder();
  await Promise.all(names.map((name) => second.write(name, `text of ${name}\n`)));
  expect((await syncOnce(company, second)).output).toBe('commonplace sync: nothing to do\n');
  expect(await company.notes()).toHaveLength(1_200);
});
