import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { createClient, type ApiClient, type Schema } from '@commonplace/client';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { stopLeftovers, runCli, script, type RunningCli } from './run-cli.ts';

let system: TestSystem;
let board: ApiClient;
let agent: Schema<'Agent'>;
let key: string;

beforeAll(async () => {
  system = await startTestSystem('local_trusted');
  board = createClient({ baseUrl: system.baseUrl });
  const { data: company } = await board.post('/api/companies', { body: { name: 'Aurora Labs' } });
  ({ data: agent } = await board.post('/api/companies/{companyId}/agents', {
    params: { path: { companyId: company.id } },
    body: { name: 'Ada', role: 'researcher', budget: { monthlyCents: 10_000 } },
  }));
  ({
    data: { key },
  } = await board.post('/api/agents/{agentId}/keys', {
    params: { path: { agentId: agent.id } },
    body: { name: 'heartbeat' },
  }));
}, 120_000);

afterEach(stopLeftovers);
afterAll(() => system.stop());

const heartbeat = (args: readonly string[]): RunningCli =>
  runCli(['heartbeat', '--agent', agent.id, ...args], {
    COMMONPLACE_URL: system.baseUrl,
    COMMONPLACE_API_KEY: key,
  });

const readAgent = async (): Promise<Schema<'Agent'>> =>
  (await board.get('/api/agents/{agentId}', { params: { path: { agentId: agent.id } } })).data;

const readRuns = async (): Promise<Schema<'Run'>[]> =>
  (await board.get('/api/agents/{agentId}/runs', { params: { path: { agentId: agent.id } } })).data
    .items;

const pidOf = (name: string): number => {
  const pid = system.system.processes.find((process) => process.name === name)?.pid;
  if (!pid) {
    throw new Error(`${name} is not running`);
  }
  return pid;
};

/** Reads the calling agent from the API, with the newest token of the file. */
const whoAmI = `
  const { readFileSync, writeFileSync } = require('node:fs');
  const env = process.env;
  const token = () => readFileSync(env.SERVICE_TOKEN_FILE, 'utf8');
  const whoAmI = async () => {
    const headers = { authorization: 'Bearer ' + token() };
    return (await fetch(env.SERVICE_BASE_URL + '/api/agents/me', { headers })).json();
  };`;

describe('a heartbeat against the real system', () => {
  it('gives its command a working token, books the reported cost, and invalidates the token at the end', async () => {
    const cli = heartbeat([
      '--reserve-cents',
      '500',
      ...script(`${whoAmI}
        whoAmI().then(async (me) => {
          console.log(JSON.stringify({ me, token: env.SERVICE_API_KEY }));
          const used = { mutationId: '1', costCents: 100, inputTokens: 7, model: 'large' };
          const headers = {
            authorization: 'Bearer ' + token(),
            'content-type': 'application/json',
          };
          await fetch(env.SERVICE_USAGE_URL, {
            method: 'POST', headers, body: JSON.stringify(used),
          });
          writeFileSync(env.SERVICE_REPORT_FILE, JSON.stringify({ costCents: 320 }));
        });`),
    ]);
    expect([await cli.ended, cli.stderr()]).toEqual([
      0,
      expect.stringContaining('succeeded, cost 320 cents'),
    ]);
    const { me, token } = JSON.parse(cli.stdout()) as { me: Schema<'CallingAgent'>; token: string };
    const [run] = await readRuns();
    expect(run).toMatchObject({
      status: 'succeeded',
      reservedCents: 500,
      costCents: 320,
      reportedCents: 100,
      inputTokens: 7,
    });
    expect(me).toMatchObject({ id: agent.id, credential: { kind: 'run', runId: run?.id } });
    expect((await readAgent()).budget).toMatchObject({ spentCents: 320, reservedCents: 0 });

    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const dead = createClient({ baseUrl: system.baseUrl, credential: token });
    await expect(dead.get('/api/agents/me')).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('ends a command that reports more than its budget, and the command line says what runs used', async () => {
    const env = { COMMONPLACE_URL: system.baseUrl, COMMONPLACE_API_KEY: key };
    const { data: started } = await board.post('/api/agents/{agentId}/runs', {
      params: { path: { agentId: agent.id } },
      body: {},
    });
    const report = (cents: string) =>
      runCli(['usage', 'report', '--cost-cents', cents, '--model', 'small'], {
        SERVICE_API_KEY: started.token,
        SERVICE_BASE_URL: system.baseUrl,
        SERVICE_RUN_ID: started.run.id,
      });
    const first = report('5');
    expect([await first.ended, first.stdout()]).toEqual([
      0,
      `run ${started.run.id}: 5 cents, 0 tokens in, 0 out\n`,
    ]);
    const beyond = report('10000');
    expect([await beyond.ended, beyond.stderr()]).toEqual([
      4,
      expect.stringContaining('The run has ended; this report was booked.'),
    ]);
    const byModel = runCli(['usage', '--by', 'model'], env);
    const byRun = runCli(['usage', '--by', 'run', '--csv', '--limit', '1'], env);
    expect([await byModel.ended, await byRun.ended]).toEqual([0, 0]);
    expect(byModel.stdout()).toMatch(
      /10005 cents +0 in +0 out +small\n +100 cents +7 in .*large\n/,
    );
    expect(byRun.stdout()).toContain(`${started.run.id},${agent.id},Ada,`);
    expect(byRun.stdout()).toContain('more runs: cursor=');
    const budget = { monthlyCents: null };
    const params = { path: { agentId: agent.id } };
    await board.patch('/api/agents/{agentId}', { params, body: { budget } });
  });

  it('renews the token despite a killed gateway, and ends the command of a cancelled run', async () => {
    // The shortest lifetime: both are renewed after 40 seconds.
    const renewed = heartbeat([
      '--ttl-seconds',
      '60',
      ...script(`${whoAmI}
        console.log('started');
        const first = token();
        const timer = setInterval(async () => {
          if (token() === first) return;
          clearInterval(timer);
          console.log((await whoAmI()).credential.runId === env.SERVICE_RUN_ID);
        }, 100);`),
    ]);
    const cancelled = heartbeat([
      '--ttl-seconds',
      '60',
      ...script(`console.log(process.env.SERVICE_RUN_ID); setInterval(() => {}, 1000)`),
    ]);
    await until(() => renewed.stdout() !== '' && cancelled.stdout() !== '');
    const runId = cancelled.stdout().trim();
    await board.post('/api/runs/{runId}/cancel', { params: { path: { runId } } });
    process.kill(pidOf('gateway'), 'SIGKILL');

    await expect(renewed.ended).resolves.toBe(0);
    expect(renewed.stdout()).toBe('started\ntrue\n');
    await expect(cancelled.ended).resolves.toBe(143);
    expect(cancelled.stderr()).toContain('has ended');
    const statuses = (await readRuns()).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['cancelled', 'cancelled', 'succeeded', 'succeeded']);
  }, 120_000);

  it('gives its command the context, with what others changed since the last success', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'heartbeat-context-'));
    const readContext = async (exitCode = 0) => {
      const cli = runCli(
        [
          'heartbeat',
          '--agent',
          agent.id,
          '--context',
          '--context-query',
          'staging',
          ...script(`
            const { readFileSync } = require('node:fs');
            console.log(readFileSync(process.env.SERVICE_CONTEXT_FILE, 'utf8'));
            process.exitCode = ${exitCode};`),
        ],
        { COMMONPLACE_URL: system.baseUrl, COMMONPLACE_API_KEY: key, XDG_STATE_HOME: folder },
      );
      expect(await cli.ended).toBe(exitCode);
      return cli.stdout();
    };
    const write = async (title: string) =>
      board.put('/api/notes/{id}', {
        params: { path: { id: randomUUID() } },
        body: { title, content: 'By the operator' },
      });
    await write('Staging servers');
    await write('Old news');
    const first = await readContext();
    expect(first).toContain('You are **Ada** (researcher)');
    expect(first).toContain('### Staging servers');
    expect(first).not.toContain('Old news');
    await write('Fresh news');
    expect(await readContext(3)).toContain('### Fresh news');
    expect(await readContext()).toContain('### Fresh news');
    expect(await readContext()).not.toContain('Fresh news');
    await rm(folder, { recursive: true });
  }, 60_000);
});
