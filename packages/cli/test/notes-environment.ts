import { spawn } from 'node:child_process';
import { text as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { nodeEnvironment } from '@commonplace/testkit';
import {
  startSyncEnvironment,
  type SyncCompany,
  type SyncEnvironment,
} from './sync-environment.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** What a command printed, and its exit code. */
type Ran = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs the program with this text as standard input. */
export type Run = (args: readonly string[], input?: string) => Promise<Ran>;

/** Runs the real program with these variables. */
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
  readonly company: () => Promise<SyncCompany & { readonly run: Run }>;
};

/** Starts the real system. */
export const startNotesEnvironment = async (): Promise<NotesEnvironment> => {
  const { system, company, stop } = await startSyncEnvironment();
  const { baseUrl } = system;
  return {
    baseUrl,
    stop,
    company: async () => {
      const made = await company();
      const env = { COMMONPLACE_URL: baseUrl, COMMONPLACE_API_KEY: made.key };
      return { ...made, run: runWith(env) };
    },
  };
};
