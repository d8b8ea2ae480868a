import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeAgentKey, type Api } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { describeIf } from '@commonplace/testkit/describe-if';
import { startApprovingBrowser, type ApprovingBrowser } from '../src/approve-in-browser.ts';
import { startCodexAppServer } from '../src/codex-app-server.ts';
import {
  createClaude,
  createCodex,
  createGemini,
  installHosts,
  startClaudeInTerminal,
} from '../src/connecting-hosts.ts';
import type { RunningProgram } from '../src/start-program.ts';

/**
 * Hosts as people install them, with the commands of docs/connect.md, and without an account of their makers. Chromium does the
 * consent. Metadata documents are off: this machine may have no way to the sites of the makers, so hosts register.
 */
const missing = await installHosts();
const terminal = '/usr/bin/script';

let system: TestSystem;
let browser: ApprovingBrowser;
let board: Api;
let companyId: string;
let folder: string;
let resource: string;

const whileInstalled = describeIf(missing === null, missing ?? '');
const whileInTerminal = describeIf(existsSync(terminal), `there is no ${terminal}`);

/** What a host prints for a person to open in a browser, with what comes after it, because output arrives piece by piece. */
const authorizeAddress = /(http:\/\/[\w.:]+\/connect\/authorize\?[\w%=&.~+-]+)[^\w%=&.~+-]/;

/** Approves what a host requests at the address that it prints. */
const approveFor = async (host: RunningProgram): Promise<void> =>
  browser.approve((await host.printed(authorizeAddress))[1] ?? '');

/** The names that clients gave themselves, of all connections. */
const connectedNames = async (): Promise<readonly string[]> => {
  const { body } = await board('GET', `/api/companies/${companyId}/connections`);
  const { items } = body as { items: readonly { readonly client: { readonly name: string } }[] };
  return items.map(({ client }) => client.name);
};

whileInstalled('hosts without an account of their makers', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commonplace-hosts-'));
    system = await startTestSystem('authenticated', {
      env: { OAUTH_AT_MCP: 'on', OAUTH_CLIENT_DOCUMENTS: 'off', RATE_LIMIT_PER_SECOND: '0' },
    });
    board = system.as(await system.boardHeaders());
    const created = await board('POST', '/api/companies', { body: { name: 'Hosts' } });
    companyId = (created.body as { id: string }).id;
    browser = await startApprovingBrowser(system.baseUrl);
    resource = `${system.baseUrl}/connect/mcp`;
  }, 300_000);
  afterAll(async () => {
    await browser.stop();
    await system.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('Codex connects while it adds the server, and calls a tool', async () => {
    const codex = await createCodex(join(folder, 'codex'));
    const adding = codex.start('mcp', 'add', 'commonplace', '--url', resource);
    try {
      await approveFor(adding);
      await adding.printed(/Successfully logged in\./);
      expect(await adding.ended).toBe(0);
    } finally {
      await adding.stop();
    }
    expect(await codex.run('mcp', 'list')).toMatch(/commonplace .* enabled +OAuth/);
    const editor = await startCodexAppServer(codex);
    try {
      const { thread } = (await editor.call('thread/start', {})) as { thread: { id: string } };
      const who = { server: 'commonplace', tool: 'whoami', arguments: {}, threadId: thread.id };
      const called = await editor.call('mcpServer/tool/call', who);
      expect(JSON.stringify(called)).toContain('Codex');
    } finally {
      await editor.stop();
    }
    expect(await connectedNames()).toContain('Codex');
  }, 120_000);

  it('Gemini CLI connects by /mcp auth, and its list says Connected', async () => {
    const gemini = await createGemini(join(folder, 'gemini'));
    const add = ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'commonplace', resource];
    expect(await gemini.run(...add)).toContain('added to user settings');
    const connecting = gemini.start('-p', '/mcp auth commonplace');
    try {
      await connecting.printed(/Do you want to continue/);
      connecting.write('y\n');
      await approveFor(connecting);
      await connecting.printed(/Successfully authenticated with MCP server/);
    } finally {
      await connecting.stop();
    }
    expect(await gemini.run('mcp', 'list')).toMatch(/commonplace: .* - Connected/);
    expect(await connectedNames()).toContain('Gemini CLI MCP Client');
  }, 120_000);

  it('Claude Code keeps a key at /mcp, with OAuth there too', async () => {
    const claude = await createClaude(join(folder, 'claude-with-key'));
    const { key } = await makeAgentKey(board, companyId, 'Claude with a key');
    const header = ['--header', `Authorization: Bearer ${key}`];
    const server = ['commonplace', `${system.baseUrl}/mcp`];
    await claude.run('mcp', 'add', '--transport', 'http', ...server, ...header);
    expect(await claude.run('mcp', 'list')).toMatch(/commonplace: .* Connected/);
  }, 120_000);

  whileInTerminal('Claude Code in a terminal', () => {
    it('needs authentication, connects by mcp login, and its list says Connected', async () => {
      const home = join(folder, 'claude');
      const host = await createClaude(home);
      await host.run('mcp', 'add', '--transport', 'http', 'commonplace', resource);
      expect(await host.run('mcp', 'list')).toMatch(/commonplace: .* Needs authentication/);
      const login = startClaudeInTerminal(home, ['mcp', 'login', '--no-browser', 'commonplace']);
      try {
        await approveFor(login);
        await login.printed(/Authenticated with "commonplace"/);
      } finally {
        await login.stop();
      }
      expect(await host.run('mcp', 'list')).toMatch(/commonplace: .* Connected/);
      expect(await connectedNames()).toContain('Claude Code (commonplace)');
    }, 120_000);
  });
});
