import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { stopLeftovers } from './run-cli.ts';
import { startSyncWorld, type SyncCompany, type SyncWorld, type TestFolder } from './sync-world.ts';

// Every test starts the program several times, which takes seconds on a busy machine.
jest.setTimeout(120_000);

let world: SyncWorld;
beforeAll(async () => {
  world = await startSyncWorld();
}, 120_000);
afterEach(stopLeftovers);
afterAll(() => world.stop());

const setUp = async () => {
  const company = await world.company();
  return { company, folder: await world.folder() };
};

/** Synchronises once; the exit code and what was said. */
const once = async (company: SyncCompany, folder: TestFolder, ...args: string[]) => {
  const cli = world.sync(company, folder, ...args);
  return { code: await cli.ended, said: cli.stderr() };
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
    expect(await once(company, folder)).toEqual({
      code: 0,
      said: 'commonplace sync: sent 2 created; received 1 created\n',
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
    expect((await once(company, folder)).said).toBe('commonplace sync: nothing to do\n');
  });

  it('take over what changed on either side, and what was moved or renamed stays the same note', async () => {
    const { company, folder } = await setUp();
    await folder.write('A.md', 'one\n');
    await folder.write('B.md', 'two\n');
    await once(company, folder);
    const before = await company.note('A');
    await folder.write('archive/A renamed.md', 'one\n');
    await folder.remove('A.md');
    const b = await company.note('B');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id: b.id } },
      body: { title: 'B', content: 'two, by an agent\n', folder: 'elsewhere' },
    });
    expect((await once(company, folder)).code).toBe(0);
    expect(await company.note('A renamed')).toMatchObject({ id: before.id, folder: 'archive' });
    expect(await folder.files()).toEqual({
      'archive/A renamed.md': 'one\n',
      'elsewhere/B.md': 'two, by an agent\n',
    });
  });

  it('merge what was written on both sides, and keep both where that cannot be', async () => {
    const { company, folder } = await setUp();
    await folder.write('Merge.md', 'a\nb\nc\nd\ne\n');
    await folder.write('Clash.md', 'same line\n');
    await once(company, folder);
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
    const { code, said } = await once(company, folder);
    expect(code).toBe(0);
    expect(said).toContain('1 merged');
    expect(said).toContain('conflict: Clash.md');
    const files = await folder.files();
    expect(files['Merge.md']).toBe('a, theirs\nb\nc\nd\ne, ours\n');
    expect(files['Clash.md']).toBe('their line\n');
    const [copy = ''] = Object.keys(files).filter((path) => path.startsWith('Clash (conflict'));
    expect(files[copy]).toBe('---\ntitle: Clash\n---\nour line\n');
    expect((await once(company, folder)).said).toBe('commonplace sync: nothing to do\n');
    // As docs/sync.md says how to resolve one.
    await folder.write('Clash.md', 'our line and theirs\n');
    await folder.remove(copy);
    expect((await once(company, folder, '--delete')).code).toBe(0);
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

  it('give a file the name of its title, whichever side changed that', async () => {
    const { company, folder } = await setUp();
    await folder.write('draft.md', '---\ntitle: Plan of May\n---\ntext\n');
    await once(company, folder);
    expect(await folder.files()).toEqual({ 'Plan of May.md': 'text\n' });
    const { id } = await company.note('Plan of May');
    await company.api.put('/api/notes/{id}', {
      params: { path: { id } },
      body: { title: 'Plan of June', content: 'text\n', folder: 'plans' },
    });
    await once(company, folder);
    expect(await folder.files()).toEqual({ 'plans/Plan of June.md': 'text\n' });
    await folder.write('plans/Plan of June.md', '---\ntitle: Plan of July\n---\ntext\n');
    await once(company, folder);
    expect(await folder.files()).toEqual({ 'plans/Plan of July.md': 'text\n' });
  });
});

describe('deleting', () => {
  it('needs --delete; without it the file comes back', async () => {
    const { company, folder } = await setUp();
    await folder.write('Keep.md', 'kept\n');
    await folder.write('Other.md', 'other\n');
    await once(company, folder);
    await folder.remove('Keep.md');
    expect((await once(company, folder)).said).toContain('came back: Keep.md');
    expect((await folder.files())['Keep.md']).toBe('kept\n');
    await folder.remove('Keep.md');
    expect((await once(company, folder, '--delete')).said).toContain('1 deleted');
    expect((await company.notes()).map(({ title }) => title)).toEqual(['Other']);
  });

  it('of many at once changes nothing until it is said twice', async () => {
    const { company, folder } = await setUp();
    const names = Array.from({ length: 12 }, (_, index) => `N${index}.md`);
    await Promise.all(names.map((name) => folder.write(name, name)));
    await once(company, folder);
    await Promise.all(names.slice(1).map(folder.remove));
    const refused = await once(company, folder, '--delete');
    expect([refused.code, refused.said]).toEqual([125, expect.stringContaining('--delete-many')]);
    expect(await company.notes()).toHaveLength(12);
    expect((await once(company, folder, '--delete-many')).code).toBe(0);
    expect(await company.notes()).toHaveLength(1);
  });

  it('on the server removes the file, unless it was edited: an edit beats a delete', async () => {
    const { company, folder } = await setUp();
    await folder.write('Gone.md', 'gone\n');
    await folder.write('Edited.md', 'before\n');
    await once(company, folder);
    for (const title of ['Gone', 'Edited']) {
      const { id } = await company.note(title);
      await company.api.delete('/api/notes/{id}', { params: { path: { id } } });
    }
    await folder.write('Edited.md', 'after\n');
    await once(company, folder);
    expect(await folder.files()).toEqual({ 'Edited.md': 'after\n' });
    expect(await company.note('Edited')).toMatchObject({ content: 'after\n' });
  });
});

describe('what cannot be a note', () => {
  it('is left alone and told, and holds up nothing else', async () => {
    const { company, folder } = await setUp();
    await folder.write('Fine.md', 'fine');
    await folder.write('Big.md', 'x'.repeat(512 * 1024 + 1));
    await folder.write('Broken.md', '---\ntags: [unclosed\n---\ntext');
    await folder.write('Zero.md', 'a\u0000b');
    await folder.write('picture.png', 'no note');
    await folder.write('.hidden/Secret.md', 'hidden');
    await symlink('/etc/hostname', join(folder.root, 'Link.md'));
    const { code, said } = await once(company, folder);
    expect(code).toBe(1);
    expect(said).toContain('left alone: Big.md: content must be at most 524288 bytes');
    expect(said).toContain('left alone: Broken.md: the front matter is no YAML');
    expect(said).toContain('left alone: Zero.md');
    expect((await company.notes()).map(({ title }) => title)).toEqual(['Fine']);
  });

  it('says what it would do with --dry-run, and does nothing', async () => {
    const { company, folder } = await setUp();
    await folder.write('New.md', 'new');
    const { code, said } = await once(company, folder, '--dry-run');
    expect([code, said]).toEqual([0, 'commonplace sync: would send: New.md (new)\n']);
    expect(await company.notes()).toEqual([]);
  });

  it('a folder of another company, and a key that is none', async () => {
    const { company, folder } = await setUp();
    await once(company, folder);
    const other = await world.company();
    const { code, said } = await once(other, folder);
    expect([code, said]).toEqual([125, expect.stringContaining(`company ${company.companyId}`)]);
    const cli = world.sync({ ...company, key: 'cpk_wrong' }, folder);
    expect([await cli.ended, cli.stderr()]).toEqual([
      125,
      expect.not.stringContaining('cpk_wrong'),
    ]);
  });
});

it('pushes thousands of files as background jobs, and finds its notes again without its own files', async () => {
  const { company, folder } = await setUp();
  const names = Array.from({ length: 1_200 }, (_, index) => `many/Note ${index}.md`);
  await Promise.all(names.map((name) => folder.write(name, `text of ${name}\n`)));
  expect((await once(company, folder, '--background')).code).toBe(0);
  expect(await company.notes()).toHaveLength(1_200);
  const second = await world.folder();
  await Promise.all(names.map((name) => second.write(name, `text of ${name}\n`)));
  expect((await once(company, second)).said).toBe('commonplace sync: nothing to do\n');
  expect(await company.notes()).toHaveLength(1_200);
});
