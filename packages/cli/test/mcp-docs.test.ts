import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
} from './sync-environment.ts';

const page = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');
const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let environment: SyncEnvironment;
let company: SyncCompany;
beforeAll(async () => {
  environment = await startSyncEnvironment();
  company = await environment.company();
}, 120_000);
afterAll(() => environment.stop());

type Entry = {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** The configurations of clients, as they stand on the page. */
const entries = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => {
  const config = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const servers = (config['mcpServers'] ?? config['servers']) as Readonly<Record<string, Entry>>;
  return servers['commonplace'] as Entry;
});

const documentedUrl = 'http://127.0.0.1:8080';

/** What a client puts in the place of its variables, and the port of the test. */
const filled = (text: string): string =>
  text.replace(documentedUrl, environment.system.baseUrl).replace(/\$\{[^}]+\}|cpk_…/, company.key);

const filledIn = (values: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));

const transportOf = ({ url, headers, command, args = [], env }: Entry) => {
  if (url !== undefined) {
    const requestInit = { headers: filledIn(headers) };
    return new StreamableHTTPClientTransport(new URL(filled(url)), { requestInit });
  }
  // The page starts the program that the server has packed, this test the one of the repository.
  const tarball = `${documentedUrl}/packages/commonplace.tgz`;
  expect([command, args.slice(0, 3)]).toEqual([
    'npx',
    ['-y', `--package=${tarball}`, 'commonplace'],
  ]);
  return new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args.slice(3)],
    env: { PATH: process.env['PATH'] ?? '', ...filledIn(env) },
  });
};

it('every configuration of docs/mcp.md reaches the tools that its table lists', async () => {
  const table = page.slice(page.indexOf('## Tools'), page.indexOf('## Resources'));
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(entries.length).toBeGreaterThanOrEqual(4);
  for (const entry of entries) {
    const client = new Client({ name: 'docs', version: '1' });
    await client.connect(transportOf(entry));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(documented);
    const who = await client.callTool({ name: 'whoami', arguments: {} });
    expect(JSON.stringify(who.content)).toContain('Ada');
    await client.close();
  }
}, 60_000);

it('the command lines name the address and the header of the configurations', () => {
  const lines = page.match(/^(?:claude|codex|gemini) mcp add .*$/gm) ?? [];
  const [claude, codex, gemini] = lines;
  const header = '--header "Authorization: Bearer cpk_…"';
  expect(claude).toContain(`${documentedUrl}/mcp ${header}`);
  expect(codex).toContain(`--url ${documentedUrl}/mcp --bearer-token-env-var COMMONPLACE_API_KEY`);
  expect(gemini).toContain(`${header} commonplace ${documentedUrl}/mcp`);
});
