import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@commonplace/testkit';
import { startHeartbeatEnvironment, type HeartbeatEnvironment } from './heartbeat-environment.ts';
import { runCli, script } from './run-cli.ts';

let environment: HeartbeatEnvironment;
let gateway: HeartbeatEnvironment['gateway'];
let folder: string;

beforeEach(async () => {
  environment = await startHeartbeatEnvironment();
  ({ gateway, folder } = environment);
});

afterEach(() => environment.stop());

const heartbeat: HeartbeatEnvironment['heartbeat'] = (args, env) =>
  environment.heartbeat(args, env);

describe('the command of a heartbeat', () => {
  it('gets an environment from an allowlist, without the key or other variables of the operator', async () => {
    const cli = heartbeat(script('console.log(JSON.stringify(process.env))'), {
      COMMONPLACE_API_KEY: gateway.key,
      LANG: 'C.UTF-8',
      TZ: 'Asia/Tokyo',
      DATABASE_PASSWORD: 'hunter2',
      NODE_OPTIONS: '--no-warnings',
    });
    await expect(cli.ended).resolves.toBe(0);
    const [run] = gateway.runs;
    const env = JSON.parse(cli.stdout()) as Record<string, string>;
    const { SERVICE_TOKEN_FILE: tokenFile, SERVICE_REPORT_FILE: reportFile, ...rest } = env;
    expect(rest).toEqual({
      PATH: process.env['PATH'],
      HOME: '/tmp',
      LANG: 'C.UTF-8',
      TZ: 'Asia/Tokyo',
      TMPDIR: folder,
      SERVICE_API_KEY: gateway.tokens[0],
      SERVICE_BASE_URL: gateway.baseUrl,
      SERVICE_AGENT_ID: gateway.agentId,
      SERVICE_COMPANY_ID: gateway.companyId,
      SERVICE_RUN_ID: run?.id,
      SERVICE_USAGE_URL: `${gateway.baseUrl}/api/runs/${run?.id}/usage`,
    });
    expect(tokenFile?.startsWith(folder)).toBe(true);
    expect(reportFile?.startsWith(folder)).toBe(true);
  });

  it('finds the key neither in its own arguments nor in those of the heartbeat', async () => {
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, `${gateway.key}\n`, { mode: 0o600 });
    const readArguments = `
      const { readFileSync } = require('node:fs');
      for (const pid of ['self', process.ppid]) {
        console.log(readFileSync('/proc/' + pid + '/cmdline', 'utf8'));
        console.log(readFileSync('/proc/' + pid + '/environ', 'utf8'));
      }`;
    const cli = heartbeat(script(readArguments), { COMMONPLACE_API_KEY_FILE: keyFile });
    await expect(cli.ended).resolves.toBe(0);
    expect(cli.stdout()).toContain('heartbeat');
    expect(cli.stdout() + cli.stderr()).not.toContain(gateway.key);
  });

  it('reads its token from a file that no other user can read, and that is deleted afterwards', async () => {
    const readToken = `
      const { readFileSync, statSync } = require('node:fs');
      const file = process.env.SERVICE_TOKEN_FILE;
      const mode = (path) => (statSync(path).mode & 0o777).toString(8);
      const folder = require('node:path').dirname(file);
      console.log(JSON.stringify([readFileSync(file, 'utf8'), mode(file), mode(folder)]));`;
    const cli = heartbeat(script(readToken));
    await expect(cli.ended).resolves.toBe(0);
    expect(JSON.parse(cli.stdout())).toEqual([gateway.tokens[0], '600', '700']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not run in a shell', async () => {
    const words = ['$HOME', '`id`', '; exit 3', '*'];
    const cli = heartbeat([
      ...script('console.log(JSON.stringify(process.argv.slice(1)))'),
      ...words,
    ]);
    await expect(cli.ended).resolves.toBe(0);
    expect(JSON.parse(cli.stdout())).toEqual(words);
  });
});

describe('the end of a command', () => {
  const report = (content: string): string[] =>
    script(`require('node:fs').writeFileSync(process.env.SERVICE_REPORT_FILE, '${content}')`);

  it('finishes its run, which has the given scopes, as succeeded with the reported cost', async () => {
    const cli = heartbeat([
      '--reserve-cents',
      '500',
      '--scopes',
      'notes:read,notes:write',
      ...report('{"costCents": 320}'),
    ]);
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.starts).toEqual([
      { trigger: 'manual', reserveCents: 500, scopes: ['notes:read', 'notes:write'] },
    ]);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded', costCents: 320 }]);
  });

  it.each([
    ['{"costCents": -1}', 'costCents'],
    ['{"costCents": "320"}', 'costCents'],
    ['{"cost_cents": 3}', 'not known: "cost_cents"'],
    ['{}', 'costCents'],
    ['no JSON', 'The report must be {"costCents": <whole number>}.'],
  ])(
    'with the invalid report %s charges the reservation, and logs that',
    async (content, problem) => {
      const cli = heartbeat(['--reserve-cents', '500', ...report(content)]);
      await expect(cli.ended).resolves.toBe(0);
      expect(gateway.runs).toMatchObject([{ status: 'succeeded', costCents: 500, reason: null }]);
      expect(cli.stderr()).toContain('cost unknown');
      expect(cli.stderr()).toContain(problem);
    },
  );

  it('with other members in its report is charged the cost, and logs which are not known', async () => {
    const cli = heartbeat(report('{"costCents": 3, "inputTokens": 9}'));
    await expect(cli.ended).resolves.toBe(0);
    expect(gateway.runs).toMatchObject([{ status: 'succeeded', costCents: 3 }]);
    expect(cli.stderr()).toContain('not known: "inputTokens"');
  });

  it('with an error gives the heartbeat its exit code, and a failed run with its reason', async () => {
    const cli = heartbeat(script('process.exit(7)'));
    await expect(cli.ended).resolves.toBe(7);
    expect(gateway.runs).toMatchObject([{ status: 'failed', reason: 'The command exited with 7' }]);
  });

  it('that does not exist gives 127, and a failed run without cost', async () => {
    const program = `/no/such\n\u2028\u202e${'program\u{1f600}'.repeat(100)}`;
    const cli = heartbeat(['--reserve-cents', '500', '--', program]);
    await expect(cli.ended).resolves.toBe(127);
    expect(gateway.runs).toMatchObject([
      {
        status: 'failed',
        costCents: 0,
        reason: expect.stringMatching(/^The command could not be started: .*\/no\/such program/),
      },
    ]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'after a forwarded %s is left to the command',
    async (signal) => {
      const cli = heartbeat(
        script(`
          process.on('${signal}', () => { console.log('tidied up'); process.exit(5); });
          setInterval(() => {}, 1000);
          console.log('ready');`),
      );
      await until(() => cli.stdout().includes('ready'));
      cli.child.kill(signal);
      await expect(cli.ended).resolves.toBe(5);
      expect(cli.stdout()).toBe('ready\ntidied up\n');
      expect(gateway.runs).toMatchObject([{ status: 'failed' }]);
    },
  );

  it('by a signal that it does not handle gives 128 + n', async () => {
    const cli = heartbeat(script(`setInterval(() => {}, 1000); console.log('ready')`));
    await until(() => cli.stdout().includes('ready'));
    cli.child.kill('SIGTERM');
    await expect(cli.ended).resolves.toBe(143);
    expect(gateway.runs).toMatchObject([
      { status: 'failed', reason: 'The command was killed by SIGTERM' },
    ]);
  });
});

describe('a heartbeat that cannot start', () => {
  it.each(['budget_exhausted', 'agent_paused'] as const)(
    'because of %s does not run the command',
    async (code) => {
      gateway.refusal = code;
      const cli = heartbeat(script(`console.log('ran')`));
      await expect(cli.ended).resolves.toBe(125);
      expect(cli.stdout()).toBe('');
      expect(cli.stderr()).toContain(code);
    },
  );

  it('without a key names the variables for it', async () => {
    const cli = heartbeat(script(''), {});
    await expect(cli.ended).resolves.toBe(125);
    expect(cli.stderr()).toContain('COMMONPLACE_API_KEY_FILE');
  });

  it('rejects a mistyped key without printing or sending it', async () => {
    const wrongKey = `${gateway.key.slice(0, -1)}!`;
    const cli = heartbeat(script(''), { COMMONPLACE_API_KEY: wrongKey });
    await expect(cli.ended).resolves.toBe(125);
    expect(cli.stderr()).toContain('mistyped');
    expect(cli.stderr()).not.toContain(wrongKey);
  });

  it('accepts no key as an argument', async () => {
    const cli = heartbeat([`--api-key=${gateway.key}`, ...script('')]);
    await expect(cli.ended).resolves.toBe(125);
    expect(cli.stderr()).not.toContain(gateway.key);
    expect(gateway.runs).toEqual([]);
  });

  it.each([['help'], ['heartbeat', '--help'], ['help', 'heartbeat']])(
    'prints help for: commonplace %s %s',
    async (...args) => {
      const cli = runCli(args.filter(Boolean), {});
      await expect(cli.ended).resolves.toBe(0);
      expect(cli.stdout()).toContain('Usage: commonplace');
    },
  );
});
