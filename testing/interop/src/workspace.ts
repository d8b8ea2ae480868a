import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

/**
 * The generators and validators are a separate project with its own lock file. The tests that use them install
 * it, so starting or developing the product does not need them.
 */
const toolsRoot = join(packageRoot, 'tools');

/** Loads a library of the tools. */
export const requireTool = createRequire(join(toolsRoot, 'package.json'));

/** The path of a file of a tool. */
export const toolPath = (file: string): string => join(toolsRoot, 'node_modules', file);

/** Imports a module of a tool: its path may have a sign that means something in an address. */
export const importTool = (file: string): Promise<object> =>
  import(pathToFileURL(toolPath(file)).href) as Promise<object>;

/** Installs the tools from their lock file; takes a second if they are installed. */
export const installTools = (): Promise<void> => installProject(toolsRoot);

/** Installs a project that has a lock file of its own. */
export const installProject = async (root: string): Promise<void> => {
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], root);
};

/** The document that every tool reads. */
export const documentPath = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url));

/**
 * Creates a folder for generated clients and the code that uses them. It is inside the tools' project, so that
 * imports resolve, and compiles to CommonJS, because generators omit file extensions.
 */
export const makeWorkspace = async (): Promise<string> => {
  await mkdir(join(toolsRoot, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(toolsRoot, '.tmp/clients-'));
  await cp(join(packageRoot, 'fixtures'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  await mkdir(join(folder, 'generated'));
  return folder;
};

/** Runs a tool or Node and returns its output; rejects with the output if it fails. */
export const runTool = (tool: string, args: readonly string[], cwd: string): Promise<string> =>
  run(tool === 'node' ? process.execPath : join(toolsRoot, 'node_modules/.bin', tool), args, cwd);

const run = (program: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
    }
    child.on('error', reject);
    child.on('close', (code) => {
      const output = written.join('');
      if (code === 0) {
        resolve(output);
      } else {
        reject(new Error(`${program} ended with ${code}: ${output.slice(0, 4_000)}`));
      }
    });
  });
