import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@commonplace/client';
import { startSyncEnvironment, type SyncEnvironment } from './sync-environment.ts';

let env: SyncEnvironment;
beforeAll(async () => {
  env = await startSyncEnvironment();
}, 120_000);
afterAll(() => env.stop());

/** Changed grants hold within a second. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 1_200));

it('files whose changes are proposals stay as they are, are named, and are in order once accepted', async () => {
  const company = await env.company();
  const { baseUrl } = env.system;
  const headers = { 'X-Company-Id': company.companyId };
  const board = createClient({ baseUrl, companyId: company.companyId });
  const me = await createClient({ baseUrl, credential: company.key }).get('/api/agents/me');
  const folder = await env.folder();
  await folder.write('plans/Plan.md', 'one\n');
  const sync = async () => {
    const running = env.sync(company, folder);
    const code = await running.ended;
    return { code, output: running.stdout() + running.stderr() };
  };
  await sync();
  const grants = [{ folder: 'plans', scope: 'any' as const, mode: 'propose' as const }];
  const params = { path: { agentId: me.data.id } };
  await board.patch('/api/agents/{agentId}', { params, body: { grants } });
  await settled();
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
  expect((await company.notes()).map(({ content }) => content)).toEqual(['one\n']);
  const query = { state: 'open' as const };
  const { data } = await board.get('/api/notes/proposals', { params: { query }, headers });
  expect(data.items.map(({ title }) => title).toSorted()).toEqual(['New', 'Plan']);
  const decisions = data.items.map(({ id }) => ({ id, decision: 'accept' as const }));
  await board.post('/api/notes/proposals/decide', { body: { decisions }, headers });
  const { code, output } = await sync();
  expect({ code, proposed: output.includes('proposed:') }).toEqual({ code: 0, proposed: false });
  expect(await folder.files()).toEqual({ 'plans/Plan.md': 'one\ntwo\n', 'plans/New.md': 'new\n' });
  expect((await company.notes()).map(({ content }) => content).toSorted()).toEqual([
    'new\n',
    'one\ntwo\n',
  ]);
});
