import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

/** Exit code and output of a shell script. */
export type Ran = {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Whether it ended as after Ctrl-C: with 0, by SIGINT, or with 130. */
  readonly isInterrupted: boolean;
};

/** A running script. */
export type Going = {
  readonly output: () => string;
  /** Sends SIGINT, as Ctrl-C does. */
  readonly interrupt: () => Promise<Ran>;
};

export type CleanClone = {
  readonly folder: string;
  /** The home directory of the commands. */
  readonly home: string;
  /** Runs a script in the folder to its end. */
  readonly shell: (script: string, env?: Environment) => Promise<Ran>;
  /** Starts a long-running script; resolves when it has printed this text. */
  readonly stay: (script: string, options: StayOptions) => Promise<Going>;
  readonly remove: () => Promise<void>;
};

type Environment = Readonly<Record<string, string>>;

type StayOptions = {
  readonly until: RegExp;
  readonly env?: Environment;
  /** Called every second until then. */
  readonly meanwhile?: () => Promise<void>;
};

/**
 * An installed copy of this checkout, for a reader who has only Node with npm. Uncommitted files are included,
 * files that Git ignores are not.
 */
export const makeCleanClone = async (): Promise<CleanClone> => {
  await mkdir(join(root, '.tmp'), { recursive: true });
  const base = await mkdtemp(join(root, '.tmp', 'clone-'));
  const [folder, home] = [join(base, 'commonplace'), join(base, 'home')];
  // PostgreSQL may run as another user, which needs access to the folder.
  await chmod(base, 0o711);
  await mkdir(join(home, '.config/commonplace'), { recursive: true });
  const listed = await run('git', ['-C', root, 'ls-files', '-co', '--exclude-standard', '-z'], {
    maxBuffer: 1 << 26,
  });
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // Git also lists deleted files that are not committed.
    await cp(join(root, file), join(folder, file)).catch(ignoreMissing);
  }
  await run('git', ['init', '-q', folder]);
  await install(folder);
  const env = { ...readersEnvironment(), HOME: home };
  const start = (script: string, more: Environment = {}) =>
    startShell(script, folder, { ...env, ...more });
  return {
    folder,
    home,
    shell: async (script, more) => start(script, more).ended,
    stay: (script, options) => untilWritten(start(script, options.env), options),
    remove: () => rm(base, { recursive: true, force: true }),
  };
};

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOENT') {
    throw error;
  }
};

/** Installs offline if the store has everything. */
const install = async (folder: string): Promise<void> => {
  const words = ['-y', 'pnpm@12', 'install', '--frozen-lockfile'];
  const options = {
    cwd: folder,
    env: { ...readersEnvironment(), HOME: homedir() },
    maxBuffer: 1 << 26,
  };
  await run('npx', [...words, '--offline'], options).catch(() => run('npx', words, options));
};

/** The environment without variables of the tests and of the package manager, except its cache. */
const readersEnvironment = (): Environment => {
  const { PATH = '', LANG = 'C.UTF-8', USER = 'reader' } = process.env;
  const certificates = process.env['NODE_EXTRA_CA_CERTS'];
  const path = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return {
    PATH: path.join(delimiter),
    LANG,
    USER,
    CI: 'true',
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    // The certificate of a proxy that the machine reaches the registry through.
    ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
};

type Started = {
  readonly output: () => string;
  readonly ended: Promise<Ran>;
  readonly pid: number;
};

/** Starts a process group, so that SIGINT reaches all processes, as from a terminal. */
const startShell = (script: string, cwd: string, env: Environment): Started => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    const exitCode = code as number | null;
    const isInterrupted = exitCode === 0 || exitCode === 130 || signal === 'SIGINT';
    return { exitCode, output, isInterrupted };
  });
  return { output: () => output, ended, pid: child.pid ?? 0 };
};

const untilWritten = async (
  started: Started,
  { until, meanwhile }: StayOptions,
): Promise<Going> => {
  const { output, ended, pid } = started;
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!until.test(output())) {
    if (hasEnded) {
      throw new Error(`It ended before it wrote ${String(until)}:\n${output()}`);
    }
    await meanwhile?.();
    await sleep(1_000);
  }
  return {
    output,
    interrupt: async () => {
      if (!hasEnded) {
        process.kill(-pid, 'SIGINT');
      }
      return ended;
    },
  };
};
