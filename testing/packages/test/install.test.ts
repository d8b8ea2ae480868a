import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { makeCompany, type CompanyWorld } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import {
  buildServedTarballs,
  buildTarballs,
  tarballsAt,
  type Tarballs,
} from '../src/build-tarballs.ts';
import { installNode } from '../src/install-node.ts';
import { run, withPath } from '../src/run.ts';
import { startRegistry } from '../src/start-registry.ts';

// Packages come from a registry, and five helpers may share two cores.
jest.setTimeout(300_000);

/** The versions of Node that the packages are for. */
const versions = [20, 22, 24] as const;
const cliBytesMax = 15 * 1024 * 1024;
// The packages say which versions of Node they run with: what they depend on must say the same.
const quick = ['--no-audit', '--no-fund', '--prefer-offline', '--engine-strict'];

let base: string;
let system: TestSystem;
let company: CompanyWorld;
/** What the server serves. */
let served: Tarballs;
/** What `pnpm build:packages` wrote. */
let tarballs: Tarballs;
const nodes = new Map<number, string>();

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'commonplace-install-'));
  await buildServedTarballs();
  system = await startTestSystem('local_trusted');
  served = tarballsAt(`${system.baseUrl}/packages/`);
  const { baseUrl } = system;
  company = await makeCompany(system.as({}), 'Outsiders', { baseUrl, withInvite: false });
  await mkdir(join(base, 'tarballs'));
  await writeFile(join(base, 'tarballs', 'of-somebody-else.txt'), 'kept');
  tarballs = await buildTarballs(join(base, 'tarballs'));
  for (const version of versions) {
    nodes.set(version, await installNode(version, base));
  }
}, 600_000);
afterAll(async () => {
  await system.stop();
  await rm(base, { recursive: true, force: true });
});

/** An empty folder, and programs that run in it with this version of Node. */
const emptyFolder = async (version: number) => {
  const folder = await mkdtemp(join(base, `node-${version}-project-`));
  const env = {
    ...withPath(nodes.get(version) ?? ''),
    COMMONPLACE_URL: system.baseUrl,
    COMMONPLACE_API_KEY: company.key,
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const start = (program: string, args: readonly string[], input = ''): Promise<string> =>
    run(program, args, { folder, env, input });
  return {
    folder,
    run: start,
    commonplace: (args: readonly string[], input = '') =>
      start('npx', ['--no-install', 'commonplace', ...args], input),
  };
};

const script = `
import { createClient, ProblemError, createMemoryTool } from '@commonplace/client';
const { COMMONPLACE_URL: baseUrl, COMMONPLACE_API_KEY: credential } = process.env;
const api = createClient({ baseUrl, credential });
const { data: note } = await api.post('/api/notes', { body: { title: 'From outside', content: 'a' } });
const path = { id: note.id };
await api.patch('/api/notes/{id}', { params: { path }, body: { edits: [{ op: 'append', text: 'b' }] } });
const { data } = await api.get('/api/notes/{id}', { params: { path } });
const memory = createMemoryTool(api, { folder: 'memories/' + process.versions.node });
const created = await memory.run({ command: 'create', path: '/memories/a.txt', file_text: 'x' });
const id = crypto.randomUUID();
const missing = await api.get('/api/notes/{id}', { params: { path: { id } } }).catch((error) => error);
console.log(JSON.stringify([data.content, created.content, missing instanceof ProblemError && missing.code]));
`;

const typed = `
import { createClient, createMemoryTool, type ApiClient, type Schema } from '@commonplace/client';
const api: ApiClient = createClient({ baseUrl: 'http://127.0.0.1:8080' });
const { data } = await api.get('/api/notes', { params: { query: { q: 'boils', limit: 5 } } });
export const titles: string[] = data.items.map((note: Schema<'ListedNote'>) => note.title);
export const memory = createMemoryTool(api);
const table = await api.get('/api/companies/{companyId}/usage', {
  params: { path: { companyId: 'c' }, query: { from: '2026-11-01', to: '2026-11-30', by: 'day', format: 'csv' } },
  parseAs: 'text',
});
export const lines: string[] = table.data.split('\\n');
// @ts-expect-error there is no such path
void api.get('/api/nothing');
// @ts-expect-error there is no such parameter
void api.get('/api/notes', { params: { query: { words: 'boils' } } });
`;

/** The pages with programs that use the client, each of which is a module. */
const pages = ['docs/client.md', 'docs/heartbeat.md', 'packages/client/README.md'];

/** Writes the TypeScript of a page to a file of the folder; returns its name. */
const writeProgram = async (page: string, folder: string): Promise<string> => {
  const text = await readFile(join(import.meta.dirname, '../../..', page), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block);
  const name = `${page.replaceAll(/\W/g, '-')}.ts`;
  await writeFile(join(folder, name), blocks.join('\n'));
  return name;
};

const bytesOf = async (folder: string): Promise<number> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

describe('what a server offers', () => {
  it('is in its index, with the digests that npm writes into a lockfile', async () => {
    const response = await fetch(`${system.baseUrl}/packages/index.json`);
    const { packages } = (await response.json()) as {
      readonly packages: readonly { readonly name: string; readonly integrity: string }[];
    };
    const project = await emptyFolder(24);
    await project.run('npm', ['install', ...quick, served.cli, served.client]);
    const lock = JSON.parse(await readFile(join(project.folder, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
    };
    expect(packages.map(({ name }) => lock.packages[`node_modules/${name}`]?.integrity)).toEqual(
      packages.map(({ integrity }) => integrity),
    );
    expect(packages.map(({ name }) => name)).toEqual(['@commonplace/client', 'commonplace']);
  });

  it('is what pnpm build:packages writes to a folder, beside the files that are there', async () => {
    expect((await readdir(join(base, 'tarballs'))).toSorted()).toEqual([
      'commonplace-client.tgz',
      'commonplace.tgz',
      'index.json',
      'of-somebody-else.txt',
      'sources.sha256',
    ]);
    expect(await readFile(join(base, 'tarballs', 'of-somebody-else.txt'), 'utf8')).toBe('kept');
  });
});

describe.each(versions)('in an empty folder with Node %i', (version) => {
  it('the client installs from the server and works in plain JavaScript', async () => {
    const project = await emptyFolder(version);
    expect(await project.run('node', ['-p', 'process.versions.node'])).toMatch(`${version}.`);
    await project.run('npm', ['install', ...quick, served.client]);
    await writeFile(join(project.folder, 'index.js'), script);
    expect(JSON.parse(await project.run('node', ['index.js']))).toEqual([
      'ab',
      'File created successfully at: /memories/a.txt',
      'not_found',
    ]);
  });

  it('the command line installs from the server, prints help, writes notes, beats and synchronises', async () => {
    const project = await emptyFolder(version);
    await project.run('npm', ['install', ...quick, served.cli]);
    expect(await bytesOf(join(project.folder, 'node_modules'))).toBeLessThan(cliBytesMax);
    expect(await project.commonplace(['--help'])).toContain('Usage: commonplace');
    expect(await project.commonplace(['whoami'])).toContain('Ada (researcher)');

    const name = `log/Node ${version}`;
    await project.commonplace(['notes', 'append', name, '--create'], 'first line\n');
    expect(await project.commonplace(['notes', 'read', name])).toBe('first line\n');

    const printRun = ['node', '-p', 'process.env.SERVICE_RUN_ID'];
    const beat = ['heartbeat', '--agent', company.agentId, '--', ...printRun];
    expect(await project.commonplace(beat)).toMatch(/^[0-9a-f-]{36}\n$/);

    const notes = join(project.folder, 'notes');
    await mkdir(notes);
    await writeFile(join(notes, `Written on ${version}.md`), 'by somebody else\n');
    await project.commonplace(['sync', 'notes']);
    expect(await readFile(join(notes, `${name}.md`), 'utf8')).toContain('first line\n');
    const read = await project.commonplace(['notes', 'read', `Written on ${version}`]);
    expect(read).toBe('by somebody else\n');
  });
});

const mcpSession = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'outside', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } },
].map((message) => ({ jsonrpc: '2.0', ...message }));

describe('an MCP client', () => {
  it.each(versions)(
    'starts the command line of the server by npx, with Node %i',
    async (version) => {
      const project = await emptyFolder(version);
      const input = mcpSession.map((message) => `${JSON.stringify(message)}\n`).join('');
      const lines = (
        await project.run('npx', ['-y', `--package=${served.cli}`, 'commonplace', 'mcp'], input)
      )
        .trim()
        .split('\n');
      const responses = lines.map((line) => JSON.parse(line) as { id?: number; result?: unknown });
      expect(responses.find(({ id }) => id === 1)?.result).toMatchObject({ capabilities: {} });
      expect(JSON.stringify(responses.find(({ id }) => id === 2)?.result)).toContain('Ada');
    },
  );
});

describe('with TypeScript', () => {
  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'the client and the programs of the pages pass tsc --strict with module %s',
    async (module, resolution) => {
      const project = await emptyFolder(24);
      await project.run('npm', [
        'install',
        ...quick,
        tarballs.client,
        'typescript@5.9',
        '@types/node@24',
      ]);
      await writeFile(join(project.folder, 'example.ts'), typed);
      const programs = await Promise.all(pages.map((page) => writeProgram(page, project.folder)));
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--skipLibCheck', 'false'];
      const modules = ['--module', module, '--moduleResolution', resolution];
      expect(
        await project.run('npx', ['tsc', ...options, ...modules, 'example.ts', ...programs]),
      ).toBe('');
    },
  );
});

describe('through a registry', () => {
  it('npm installs both packages by name', async () => {
    const registry = await startRegistry(join(base, 'registry'));
    try {
      await registry.publish(tarballs.client);
      await registry.publish(tarballs.cli);
      const project = await emptyFolder(20);
      const flags = [...quick, '--userconfig', registry.npmrc];
      await project.run('npm', ['install', ...flags, 'commonplace', '@commonplace/client']);
      expect(await project.commonplace(['notes', 'list', '--json'])).toContain('"items"');
      const imported =
        "import('@commonplace/client').then((all) => console.log(typeof all.createClient))";
      expect(await project.run('node', ['-e', imported])).toBe('function\n');
    } finally {
      await registry.stop();
    }
  });
});
