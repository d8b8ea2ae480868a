import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';

/** Where a program runs, and with which variables besides those of the system. */
export type RunOptions = {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
};

/** Runs a program and returns its standard output. Rejects with all of its output if it fails. */
export const run = (
  program: string,
  args: readonly string[],
  { folder, env = {}, input = '' }: RunOptions,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: folder, env: { ...systemEnvironment(), ...env } });
    const written = { out: '', all: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.out += text;
      written.all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.all += text));
    // The program may end without reading its input.
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) {
        resolve(written.out);
      } else {
        const command = [program, ...args].join(' ');
        reject(new Error(`${command} ended with ${code}: ${written.all.slice(-4_000)}`));
      }
    });
  });

/** Variables of the tests, of the package manager that started them, and of our programs. */
const withheld =
  /^(npm_(?!config_)|INIT_CWD|PNPM_|JEST|NODE_OPTIONS|NODE_ENV|COMMONPLACE_|SERVICE_)/;

/** The environment of a person's shell on this machine. */
const systemEnvironment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !withheld.test(name));
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
};

/** The same PATH with a folder before it. */
export const withPath = (folder: string): Record<string, string> => ({
  PATH: `${folder}${delimiter}${systemEnvironment()['PATH'] ?? ''}`,
});
