import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, type Schema } from '@commonplace/client';
import { startSyncEnvironment, type SyncEnvironment } from './sync-environment.ts';

let env: SyncEnvironment;
beforeAll(async () => {
  env = await startSyncEnvironment();
}, 120_000);
afterAll(() => env.stop());

/** Changed grants hold within a second. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_200));

type Grants = Schema<'Agent'>['grants'];

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
    const running = env.sync(company, folder, ...args);
    const code = await running.ended;
    return { code, output: running.stdout() + running.stderr() };
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
