import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCommands, type ShellBlock } from '../src/docs/shell-blocks.ts';
import { mustRun, run } from './compose.ts';

const root = join(import.meta.dirname, '../../..');

/** A checkout in which an operator follows the docs, with `.env` beside docker-compose.yml. */
export type OperatorFolder = {
  readonly folder: string;
  readonly envFile: string;
  /** Runs a shell script in the folder; throws with its output if it fails. */
  readonly shell: (script: string) => Promise<string>;
  /**
   * Runs the only block of the docs that has this text, word for word. `pnpm secrets` runs in this repository, because the
   * folder has no packages.
   */
  readonly follow: (text: RegExp) => Promise<string>;
  /** The blocks of the docs that name docker-compose and were not followed. */
  readonly unread: () => string[];
  readonly setting: (name: string) => Promise<string>;
  /** Sets lines of `.env`, and adds those that it does not have. */
  readonly set: (settings: Readonly<Record<string, string>>) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Copies this checkout, uncommitted files included, as a repository of one commit, and writes its `.env`. */
export const makeOperatorFolder = async (
  settings: Readonly<Record<string, string>>,
): Promise<OperatorFolder> => {
  const base = await mkdtemp(join(tmpdir(), 'commonplace-operator-'));
  await chmod(base, 0o755);
  const folder = join(base, 'commonplace');
  await copyCheckout(folder);
  const envFile = join(folder, '.env');
  const admin = `node ${join(root, 'packages/admin/src/main.ts')}`;
  await mustRun('bash', ['-c', `${admin} secrets ${envFile}`]);
  const set = (changed: Readonly<Record<string, string>>) => setLines(envFile, changed);
  await set(settings);
  const blocks = (await readCommands(root)).blocks.filter(({ text }) =>
    /docker-compose|replace-containers/.test(text),
  );
  const followed = new Set<ShellBlock>();
  const prelude = await composeFunction();
  const shell = (script: string) =>
    mustRun('bash', ['--norc', '-euo', 'pipefail', '-c', `${prelude}${script}`], { folder });
  return {
    folder,
    envFile,
    shell,
    follow: async (text) => {
      const found = blocks.filter((block) => text.test(block.text));
      const [block] = found;
      if (found.length !== 1 || !block) {
        throw new Error(`${found.length} blocks have ${text}`);
      }
      followed.add(block);
      return shell(block.text.replaceAll('npx -y pnpm@12 secrets', `${admin} secrets .env`));
    },
    unread: () =>
      blocks.filter((each) => !followed.has(each)).map(({ page, line }) => `${page}:${line}`),
    setting: async (name) =>
      new RegExp(`^${name}=(.*)$`, 'm').exec(await readFile(envFile, 'utf8'))?.[1] ?? '',
    set,
    remove: () => rm(base, { recursive: true, force: true }),
  };
};

const copyCheckout = async (folder: string): Promise<void> => {
  const listed = await mustRun('git', ['-C', root, 'ls-files', '-co', '--exclude-standard']);
  for (const file of listed.split('\n').filter(Boolean)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // Git also lists deleted files that are not committed.
    await cp(join(root, file), join(folder, file)).catch(() => undefined);
  }
  const identity = ['-c', 'user.name=Operator', '-c', 'user.email=operator@example.org'];
  await mustRun('git', ['init', '-q', folder]);
  await mustRun('git', ['-C', folder, 'add', '--all']);
  await mustRun('git', ['-C', folder, ...identity, 'commit', '-q', '-m', 'The release', '-n']);
};

const setLines = async (file: string, settings: Readonly<Record<string, string>>) => {
  let text = await readFile(file, 'utf8');
  for (const [name, value] of Object.entries(settings)) {
    const line = new RegExp(`^${name}=.*$`, 'm');
    text = line.test(text)
      ? text.replace(line, `${name}=${value}`)
      : `${text.trimEnd()}\n${name}=${value}\n`;
  }
  await writeFile(file, text);
};

/** Where only the plug-in is installed, `docker-compose` of the docs is `docker compose`. */
const composeFunction = async (): Promise<string> =>
  (await run('docker-compose', ['version'])).exitCode === 0
    ? ''
    : 'docker-compose() { docker compose "$@"; }\n';
