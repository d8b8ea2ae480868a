import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWith } from './notes-environment.ts';
import { runOnTerminal } from './run-on-terminal.ts';
import { asJson, startStubServer, type StubServer } from './stub-server.ts';

const id = '0198a000-0000-7000-8000-000000000001';
const csv = 'day,cost_cents\r\n2026-11-28,12\r\n2026-11-29,7\r\n';
const used = { costCents: 1, inputTokens: 2, outputTokens: 3 };
const run = { id, startedAt: '2026-11-29T00:00:00.000Z', status: 'succeeded' };

let server: StubServer;
beforeAll(async () => {
  server = await startStubServer(({ path }) => {
    if (path === '/api/agents/me') {
      return asJson({ id, companyId: id });
    }
    const { searchParams } = new URL(path, 'http://commonplace.test');
    if (searchParams.get('format') === 'csv') {
      return { status: 200, type: 'text/csv; charset=utf-8', body: csv };
    }
    const item = { ...used, run, agent: { id, name: 'Ada' } };
    const items = Array.from({ length: Number(searchParams.get('limit')) }, () => item);
    return asJson({ items, total: used, nextCursor: 'more' });
  });
});
afterAll(() => server.stop());

describe('commonplace usage --csv', () => {
  it('has lines without escapes on a terminal, and the exact bytes in a pipe', async () => {
    const printed = await runOnTerminal(['usage', '--csv'], server.env);
    expect(printed).toContain('day,cost_cents\r\n2026-11-28,12\r\n');
    expect(printed).not.toContain('\\u000d');
    expect((await runWith(server.env)(['usage', '--csv'])).stdout).toBe(csv);
  });
});

describe('commonplace usage --by run', () => {
  it('has the id of each run, which undo and proposals list take', async () => {
    const { stdout } = await runWith(server.env)(['usage', '--by', 'run', '-n', '1']);
    expect(stdout.split('\n')[0]).toMatch(new RegExp(`Ada  ${id}$`));
  });
});

describe('the notice that there are more runs', () => {
  it('says to raise the limit, and at the largest one to choose fewer days', async () => {
    const notice = async (limit: string) =>
      (await runWith(server.env)(['usage', '--by', 'run', '-n', limit])).stderr;
    expect(await notice('2')).toContain('there are more runs than these 2: raise --limit');
    expect(await notice('1000')).toContain(
      'there are more runs than these 1000: choose fewer days by --from and --to',
    );
  });
});
