import { readFile, rm } from 'node:fs/promises';
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
  const { code, stdout, stderr } = await env.syncToEnd(company, folder);
  return { code, output: stdout + stderr };
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

const proposing: Grants = [{ folder: 'plans', scope: 'any', mode: 'propose' }];

/** A folder with plans/Plan.md, which is synchronised; from then on its agent may only propose. */
const openFolder = async () => {
  const company = await env.company();
  const { baseUrl } = env.system;
  const headers = { 'X-Company-Id': company.companyId };
  const board = createClient({ baseUrl, companyId: company.companyId });
  const me = await createClient({ baseUrl, credential: company.key }).get('/api/agents/me');
  const folder = await env.folder();
  const sync = async (...args: string[]) => {
    const { code, stdout, stderr } = await env.syncToEnd(company, folder, ...args);
    return { code, output: stdout + stderr };
  };
  const grant = async (grants: Grants) => {
    const params = { path: { agentId: me.data.id } };
    await board.patch('/api/agents/{agentId}', { params, body: { grants } });
    await settled();
  };
  const open = async () => {
    const query = { state: 'open' as const };
    return (await board.get('/api/notes/proposals', { params: { query }, headers })).data.items;
  };
  /** Decides about every open proposal. */
  const decide = async (
    decision: { decision: 'accept'; content?: string } | { decision: 'reject'; reason: string },
  ) => {
    const decisions = (await open()).map(({ id }) => ({ id, ...decision }));
    await board.post('/api/notes/proposals/decide', { body: { decisions }, headers });
  };
  await folder.write('plans/Plan.md', 'one\n');
  await sync();
  await grant(proposing);
  const contents = async () => (await company.notes()).map(({ content }) => content).toSorted();
  return { company, folder, sync, grant, open, decide, contents, board, headers };
};

describe('a folder whose agent may only propose', () => {
  it('keeps files whose changes are proposals, names them, and is in order once they are accepted', async () => {
    const { folder, sync, open, decide, contents } = await openFolder();
    await folder.write('plans/Plan.md', 'one\ntwo\n');
    await folder.write('plans/New.md', 'new\n');
    for (let count = 0; count < 2; count += 1) {
      const { code, output } = await sync();
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringContaining('proposed: plans/Plan.md is not applied yet'),
      });
      expect(output).toContain('proposed: plans/New.md is not applied yet');
    }
    expect(await contents()).toEqual(['one\n']);
    expect((await open()).map(({ title }) => title).toSorted()).toEqual(['New', 'Plan']);
    await decide({ decision: 'accept' });
    const { code, output } = await sync();
    expect({ code, proposed: output.includes('proposed:') }).toEqual({ code: 0, proposed: false });
    const files = { 'plans/Plan.md': 'one\ntwo\n', 'plans/New.md': 'new\n' };
    expect(await folder.files()).toEqual(files);
    expect(await contents()).toEqual(['new\n', 'one\ntwo\n']);
  });

  it('gets what a proposal became that was accepted with changes, and what others write then', async () => {
    const { company, folder, sync, decide, board, headers } = await openFolder();
    await folder.write('plans/Plan.md', 'one\ntwo\n');
    await folder.write('plans/New.md', 'new\n');
    await sync();
    await decide({ decision: 'accept', content: 'as accepted\n' });
    const { code, output } = await sync();
    expect({ code, proposed: output.includes('proposed:') }).toEqual({ code: 0, proposed: false });
    const files = { 'plans/Plan.md': 'as accepted\n', 'plans/New.md': 'as accepted\n' };
    expect(await folder.files()).toEqual(files);
    const { id } = await company.note('Plan');
    const body = { title: 'Plan', folder: 'plans', content: 'by others\n' };
    await board.put('/api/notes/{id}', { params: { path: { id } }, body, headers } as never);
    await sync();
    expect(await folder.files()).toEqual({ ...files, 'plans/Plan.md': 'by others\n' });
  });

  it('sends edits that were made on top of accepted proposals with the accepted version as their base', async () => {
    const { folder, sync, grant, open, decide, contents } = await openFolder();
    await folder.write('plans/Plan.md', 'one\ntwo\n');
    await folder.write('plans/New.md', 'new\n');
    await sync();
    await decide({ decision: 'accept' });
    await folder.write('plans/Plan.md', 'one\nTWO\n');
    await folder.write('plans/New.md', 'newer\n');
    await sync();
    const bases = (await open()).map(({ title, baseRevision }) => [title, baseRevision]);
    expect(bases.toSorted()).toEqual([
      ['New', 1],
      ['Plan', 2],
    ]);
    await grant(null);
    await folder.write('plans/New.md', 'newest\n');
    expect((await sync()).output).not.toContain('conflict:');
    expect(await contents()).toEqual(['newest\n', 'one\ntwo\n']);
  });

  it('names a rejected proposal with the reason until the file is edited, and keeps the file', async () => {
    const { folder, sync, open, decide } = await openFolder();
    await folder.write('plans/Plan.md', 'one\ntwo\n');
    await sync();
    await decide({ decision: 'reject', reason: 'Not now' });
    for (let count = 0; count < 2; count += 1) {
      expect(await sync()).toEqual({
        code: 1,
        output: expect.stringContaining(
          'plans/Plan.md: not applied: The proposal was rejected: Not now',
        ),
      });
    }
    expect(await folder.files()).toEqual({ 'plans/Plan.md': 'one\ntwo\n' });
    await folder.write('plans/Plan.md', 'one\nlater\n');
    expect((await sync()).output).toContain('proposed: plans/Plan.md is not applied yet');
    expect(await open()).toHaveLength(1);
  });

  it('restores a file that was deleted, and says that its note cannot be', async () => {
    const { folder, sync, contents } = await openFolder();
    await rm(join(folder.root, 'plans/Plan.md'));
    const { code, output } = await sync('--delete-many');
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining('plans/Plan.md: not deleted: Changes here are proposals'),
    });
    expect(await folder.files()).toEqual({ 'plans/Plan.md': 'one\n' });
    expect((await sync()).code).toBe(0);
    expect(await contents()).toEqual(['one\n']);
  });
});
