import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const packageRoot = new URL('..', import.meta.url).pathname;

/** The document that every tool reads. */
export const documentPath = new URL('../../../docs/openapi.json', import.meta.url).pathname;

/**
 * Makes a folder for generated clients and those who use them. It lies within the package, so that what they
 * import is found, and compiles to CommonJS, because generators leave the endings of files out.
 */
export const makeWorkspace = async (): Promise<string> => {
  await mkdir(join(packageRoot, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(packageRoot, '.tmp/clients-'));
  await cp(join(packageRoot, 'fixtures'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'commonjs' }));
  await mkdir(join(folder, 'generated'));
  return folder;
};

/** Runs a tool of the package and gives what it wrote; rejects with that when it fails. */
export const runTool = (tool: string, args: readonly string[], cwd: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const program =
      tool === 'node' ? process.execPath : join(packageRoot, 'node_modules/.bin', tool);
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
        reject(new Error(`${tool} ended with ${code}: ${output.slice(0, 4_000)}`));
      }
    });
  });
