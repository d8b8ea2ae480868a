import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';
import type { Ran } from './command-host.ts';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
} from './sync-environment.ts';

const main = cliProgram();

/** Runs the program with this text as standard input. */
export type Run = (args: readonly string[], input?: string) => Promise<Ran>;

/** Runs the real program with these variables, in a process of its own. */
export const runWith =
  (env: Readonly<Record<string, string>>): Run =>
  async (args, input = '') => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...nodeEnvironment(), HOME: '/tmp', ...env },
      stdio: 'pipe',
    });
    // The program may end without reading its input.
    child.stdin.on('error', () => undefined).end(input);
    const [stdout, stderr, code] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      new Promise<number | null>((resolve) => child.on('close', resolve)),
    ]);
    return { code, stdout, stderr };
  };

/** The real system, and the program with the key of a new company's agent. */
export type NotesEnvironment = Pick<SyncEnvironment, 'stop'> & {
  readonly baseUrl: string;
  /** Runs the program with these variables, one command after another in one process. */
  readonly runWith: (env: Readonly<Record<string, string>>) => Run;
  readonly company: () => Promise<Program>;
};

type Program = SyncCompany & {
  readonly run: Run;
  /** The same, each in a process of its own. */
  readonly runAlone: Run;
};

/** Starts the real system. */
export const startNotesEnvironment = async (): Promise<NotesEnvironment> => {
  const { system, company, run, stop } = await startSyncEnvironment();
  const { baseUrl } = system;
  const runHosted: NotesEnvironment['runWith'] =
    (env) =>
    (args, input = '') =>
      run({ args, env: { HOME: '/tmp', ...env }, input });
  return {
    baseUrl,
    runWith: runHosted,
    stop,
    company: async () => {
      const made = await company();
      const env = { COMMONPLACE_URL: baseUrl, COMMONPLACE_API_KEY: made.key };
      return { ...made, run: runHosted(env), runAlone: runWith(env) };
    },
  };
};
