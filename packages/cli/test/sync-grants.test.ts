import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Schema } from '@commonplace/client';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
  type TestFolder,
} from './sync-environment.ts';

let env: SyncEnvironment;
beforeAll(async () => {
  env = await startSyncEnvironment();
}, 120_000);
afterAll(() => env.stop());

type Grants = Schema<'Agent'>['grants'];

const only = (...folders: string[]): NonNullable<Grants> =>
  folders.map((folder) => ({ folder, scope: 'any', mode: 'direct' }));

/** Limits the agent of a company; an edit by the board reaches every folder. */
const boardOf = async ({ companyId, key }: SyncCompany) => {
  const { baseUrl } = env.system;
  const board = createClient({ baseUrl });
  const me = await createClient({ baseUrl, credential: key }).get('/api/agents/me');
  const params = { path: { agentId: me.data.id } };
  return {
    limit: (grants: Grants) => board.patch('/api/agents/{agentId}', { params, body: { grants } }),
    put: async (id: string, body: Schema<'NoteInput'>) => {
      const header = { 'X-Company-Id': companyId };
      await board.put('/api/notes/{id}', { params: { path: { id }, header }, body } as never);
    },
  };
};

/** Runs the command; returns its exit code and everything that it printed. */
const run = async (company: SyncCompany, folder: TestFolder) => {
  const running = env.sync(company, folder);
  const code = await running.ended;
  return { code, output: running.stdout() + running.stderr() };
};

/** Runs the command, and expects success. */
const sync = async (company: SyncCompany, folder: TestFolder): Promise<string> => {
  const { code, output } = await run(company, folder);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
};

const aside = (root: string, path: string) =>
  readFile(join(root, '.commonplace', 'removed', path), 'utf8');

/** A synchronised folder, and the note of its only file, which has left the folder that its key reaches. */
const withHiddenPlan = async () => {
  const company = await env.company();
  const { limit, put } = await boardOf(company);
  const id = crypto.randomUUID();
  await put(id, { title: 'Plan', folder: 'a', content: 'text\n' });
  await limit(only('a'));
  await settled();
  const folder = await env.folder();
  await sync(company, folder);
  await put(id, { title: 'Plan', folder: 'x', content: 'elsewhere\n' });
  return { company, folder, put, id };
};

/** Changed grants hold within a second. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_200));

describe('a folder with a key that reaches part of the notes', () => {
  it('has that part, and sends edits of it', async () => {
    const company = await env.company();
    const { limit, put } = await boardOf(company);
    const [inside, outside] = [crypto.randomUUID(), crypto.randomUUID()];
    await put(inside, { title: 'Inside', folder: 'a', content: 'one\n' });
    await put(outside, { title: 'Outside', folder: 'x', content: 'secret\n' });
    await limit(only('a'));
    await settled();
    const folder = await env.folder();
    await sync(company, folder);
    expect(await folder.files()).toEqual({ 'a/Inside.md': 'one\n' });
    await folder.write('a/Inside.md', 'two\n');
    await folder.write('a/New.md', 'new\n');
    await sync(company, folder);
    await limit(null);
    await settled();
    const notes = await company.notes();
    expect(notes.map(({ title, content }) => [title, content]).toSorted()).toEqual([
      ['Inside', 'two\n'],
      ['New', 'new\n'],
      ['Outside', 'secret\n'],
    ]);
  });

  it('moves the file of a note that leaves it to .commonplace/removed, and takes it back', async () => {
    const { company, folder, put, id } = await withHiddenPlan();
    expect(await sync(company, folder)).toContain('no longer granted: a/Plan.md');
    expect(await folder.files()).toEqual({});
    expect(await aside(folder.root, 'a/Plan.md')).toBe('text\n');
    expect(await sync(company, folder)).toContain('nothing to do');
    await put(id, { title: 'Plan', folder: 'a', content: 'back\n' });
    await sync(company, folder);
    expect(await folder.files()).toEqual({ 'a/Plan.md': 'back\n' });
    expect(await aside(folder.root, 'a/Plan.md')).toBe('text\n');
  });

  it('never deletes a file that was edited meanwhile, and names the edit that is not taken', async () => {
    const { company, folder } = await withHiddenPlan();
    await folder.write('a/Plan.md', 'mine\n');
    for (let count = 0; count < 2; count += 1) {
      const { output } = await run(company, folder);
      expect(output).toContain('a/Plan.md: not sent: ');
      expect(await folder.files()).toEqual({ 'a/Plan.md': 'mine\n' });
    }
  });

  it('puts aside what a change of the grants hides, and deletes no note', async () => {
    const company = await env.company();
    const { limit } = await boardOf(company);
    const folder = await env.folder();
    await folder.write('a/Kept.md', 'kept\n');
    await folder.write('x/Hidden.md', 'hidden\n');
    await sync(company, folder);
    await limit(only('a'));
    await settled();
    await sync(company, folder);
    expect(await folder.files()).toEqual({ 'a/Kept.md': 'kept\n' });
    expect(await aside(folder.root, 'x/Hidden.md')).toBe('hidden\n');
    await limit(null);
    await settled();
    await sync(company, folder);
    expect(await folder.files()).toEqual({ 'a/Kept.md': 'kept\n', 'x/Hidden.md': 'hidden\n' });
    expect((await company.notes()).map(({ title }) => title).toSorted()).toEqual([
      'Hidden',
      'Kept',
    ]);
  });
});
