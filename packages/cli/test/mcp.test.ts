import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeApiKey } from '@commonplace/identity';
import { runMcp } from '../src/mcp/run-mcp.ts';
import { callTool, connectStdio } from './stdio-client.ts';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
} from './sync-environment.ts';

let environment: SyncEnvironment;
let company: SyncCompany;
let folder: string;
const clients: Client[] = [];
const servers: Server[] = [];

beforeAll(async () => {
  environment = await startSyncEnvironment();
  company = await environment.company();
  folder = await mkdtemp(join(tmpdir(), 'commonplace-mcp-'));
}, 120_000);
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  servers.splice(0).forEach((server) => server.close());
});
afterAll(async () => {
  await environment.stop();
  await rm(folder, { recursive: true, force: true });
});

const connect = async (...args: Parameters<typeof connectStdio>): Promise<Client> => {
  const client = await connectStdio(...args);
  clients.push(client);
  return client;
};

const withKey = () => ({
  COMMONPLACE_URL: environment.system.baseUrl,
  COMMONPLACE_API_KEY: company.key,
});

describe.each(['2025-11-25', '2026-07-28'] as const)('a client of %s over stdio', (era) => {
  it('lists and calls tools, reads resources, and gets errors', async () => {
    const client = await connect(withKey(), era);
    expect((await client.listTools()).tools).toHaveLength(11);
    const title = `Über stdio ${era}`;
    const { data } = await callTool(client, 'write_note', { title, content: 'ä\n' });
    const uri = `note://${String(data['id'])}`;
    expect((await client.readResource({ uri })).contents).toMatchObject([{ text: 'ä\n' }]);
    const wrong = await callTool(client, 'read_note', { title: 'nothing' });
    expect([wrong.isError, wrong.text.split(':')[0]]).toEqual([true, 'not_found']);
  });
});

it('a subscription over stdio learns of changes', async () => {
  const client = await connect(withKey(), '2026-07-28');
  const { data } = await callTool(client, 'write_note', { title: 'Watched' });
  const uri = `note://${String(data['id'])}`;
  const changed = new Promise<string>((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      resolve(params.uri),
    );
  });
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  await callTool(client, 'edit_note', { id: data['id'], append: 'x\n' });
  expect(await changed).toBe(uri);
  await subscription.close();
});

it('uses the token of a run before a key, and a renewed token from the next request on', async () => {
  const { data: me } = await company.api.get('/api/agents/me');
  const path = { agentId: me.id };
  const start = () =>
    company.api.post('/api/agents/{agentId}/runs', { params: { path }, body: {} });
  const file = join(folder, 'token');
  const [first, second] = [(await start()).data, (await start()).data];
  await writeFile(file, first.token);
  const client = await connect({ ...withKey(), SERVICE_TOKEN_FILE: file });
  expect((await callTool(client, 'whoami')).text).toContain(`run ${first.run.id}`);
  await company.api.post('/api/runs/{runId}/finish', {
    params: { path: { runId: first.run.id } },
    body: { status: 'succeeded' },
  });
  await writeFile(`${file}.new`, second.token);
  await rename(`${file}.new`, file);
  expect((await callTool(client, 'whoami')).text).toContain(`run ${second.run.id}`);
});

it('goes on while the file of its key is being replaced, and says so if it stays away', async () => {
  const file = join(folder, 'key');
  await writeFile(file, company.key);
  const client = await connect({
    COMMONPLACE_URL: environment.system.baseUrl,
    COMMONPLACE_API_KEY_FILE: file,
  });
  await writeFile(file, company.key.slice(0, 10));
  const waiting = callTool(client, 'whoami');
  await writeFile(file, company.key);
  expect((await waiting).text).toContain('agent: Ada');
  await rm(file);
  const refused = await callTool(client, 'whoami');
  expect([refused.isError, refused.text.split(':')[0]]).toEqual([true, 'invalid_token']);
  await writeFile(file, company.key);
  expect((await callTool(client, 'whoami')).text).toContain('agent: Ada');
});

it('without a key it ends with 2, and says which variable is missing', async () => {
  const child = spawn(process.execPath, [program, 'mcp'], { env: {}, stdio: 'pipe' });
  const [errors, code] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  expect([code, errors]).toEqual([2, expect.stringContaining('COMMONPLACE_API_KEY')]);
  expect(errors).not.toContain('    at ');
});

it.each([
  ['a key that was cut off', { COMMONPLACE_API_KEY: 'cpk_x' }, 'COMMONPLACE_API_KEY: is not a'],
  ['no key', {}, 'COMMONPLACE_API_KEY: is required'],
  ['an address that is none', { COMMONPLACE_URL: 'x' }, 'COMMONPLACE_URL: '],
] as const)('with %s a client cannot connect, and its error says why', async (_, env, reason) => {
  await expect(connect(env)).rejects.toThrow('configuration: The variables');
  await expect(connect(env)).rejects.toThrow(reason);
});

it('a client that finds no gateway learns at which address, and its second try takes no more time', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const tried: unknown[] = [];
  const baseUrl = await startGateway((req, res) => {
    tried.push(req.headers['mcp-method'] ?? 'initialize');
    res.destroy();
  });
  const access = { baseUrl, credential: makeApiKey };
  const running = runMcp({ input, output, access, retryMs: 500 });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const fail = async (method: string, params: object): Promise<unknown> => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    const { value } = await lines.next();
    return JSON.parse(String(value));
  };
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const message = expect.stringContaining(`The gateway at ${baseUrl} did not respond`);
  expect(await fail('server/discover', { _meta: meta })).toMatchObject({ error: { message } });
  expect(await fail('initialize', {})).toMatchObject({ error: { message } });
  input.end();
  await running;
  expect(tried.filter((method) => method === 'initialize')).toHaveLength(1);
});

it('a client whose key does not exist cannot connect, and its error says why', async () => {
  const env = { ...withKey(), COMMONPLACE_API_KEY: makeApiKey() };
  await expect(connect(env)).rejects.toThrow('invalid_token');
});

/** A gateway that does with requests what a test says. */
const startGateway = async (
  handle: (req: IncomingMessage, res: ServerResponse, body: string) => void,
): Promise<string> => {
  const server = createServer((req, res) => {
    void text(req).then((body) => handle(req, res, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const respond = (res: ServerResponse, id: unknown, result: object): void => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
};

const program = cliProgram();

/** Sends lines to the bridge and returns what it wrote. */
const exchange = async (
  url: string,
  lines: readonly string[],
  count: number,
): Promise<unknown[]> => {
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { ...nodeEnvironment(), COMMONPLACE_URL: url, COMMONPLACE_API_KEY: makeApiKey() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  let written = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    written += String(chunk);
    if (written.split('\n').length > count) {
      break;
    }
  }
  child.kill();
  return written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};

const callLine = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'edit_note', arguments: {} },
});

describe('a gateway that is not there', () => {
  it('costs a call a delay: every attempt has the same key, and the call one result', async () => {
    const keys: unknown[] = [];
    const url = await startGateway((req, res) => {
      keys.push(req.headers['idempotency-key']);
      if (keys.length === 1) {
        res.destroy();
      } else if (keys.length === 2) {
        res.statusCode = 503;
        res.setHeader('content-type', 'application/problem+json');
        res.end('{"code":"service_unavailable"}');
      } else if (keys.length === 3) {
        res.setHeader('content-type', 'text/event-stream');
        res.write(': cut\n\n');
        res.end();
      } else {
        respond(res, 7, { content: [] });
      }
    });
    expect(await exchange(url, [callLine], 1)).toEqual([
      { jsonrpc: '2.0', id: 7, result: { content: [] } },
    ]);
    expect([keys.length, new Set(keys).size, typeof keys[0]]).toEqual([4, 1, 'string']);
  });

  it('costs a subscription no change: all that it is about is announced when it is open again', async () => {
    const uris = ['note://a', 'note://b'];
    const agreed = { resourceSubscriptions: uris, resourcesListChanged: true };
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 3 };
    const acknowledged = {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: agreed },
    };
    const result = { jsonrpc: '2.0', id: 3, result: {} };
    let opened = 0;
    const url = await startGateway((_req, res) => {
      opened += 1;
      res.setHeader('content-type', 'text/event-stream');
      const sent = opened === 1 ? [acknowledged] : [acknowledged, result];
      res.end(sent.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));
    });
    const params = { notifications: agreed };
    const line = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params });
    expect(await exchange(url, [line], 5)).toEqual([
      acknowledged,
      ...uris.map((uri) => ({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { _meta, uri },
      })),
      { jsonrpc: '2.0', method: 'notifications/resources/list_changed', params: { _meta } },
      result,
    ]);
  });

  it('a message goes to the path of the address, and follows no redirect', async () => {
    const paths: (string | undefined)[] = [];
    const url = await startGateway((req, res) => {
      paths.push(req.url);
      if (paths.length === 1) {
        res.writeHead(307, { location: '/elsewhere' }).end();
      } else {
        respond(res, 7, { content: [] });
      }
    });
    expect(await exchange(`${url}/team/`, [callLine], 1)).toEqual([
      { jsonrpc: '2.0', id: 7, result: { content: [] } },
    ]);
    expect(paths).toEqual(['/team/mcp', '/team/mcp']);
  });

  it('a refusal is a result at once, and lines that are no JSON-RPC get an error', async () => {
    const url = await startGateway((_req, res) => {
      res.statusCode = 403;
      res.setHeader('content-type', 'application/problem+json');
      res.end('{"code":"cross_company","detail":"No."}');
    });
    const [parse, call] = await exchange(url, ['nonsense', callLine], 2);
    expect(parse).toMatchObject({ id: null, error: { code: -32700 } });
    expect(call).toMatchObject({
      id: 7,
      result: { isError: true, content: [{ text: expect.stringContaining('cross_company: No.') }] },
    });
  });

  it('a body that was refused before its message was read is the result of the call that was sent', async () => {
    const data = { code: 'body_too_large' };
    const url = await startGateway((_req, res) => {
      res.statusCode = 413;
      res.setHeader('content-type', 'application/json');
      const error = { code: -32_000, message: 'Too large.', data };
      res.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    });
    expect(await exchange(url, [callLine], 1)).toMatchObject([
      {
        id: 7,
        result: {
          isError: true,
          content: [{ text: expect.stringContaining('body_too_large: Too large.') }],
        },
      },
    ]);
  });
});

const page = await readFile(new URL('../../../docs/mcp.md', import.meta.url), 'utf8');

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
