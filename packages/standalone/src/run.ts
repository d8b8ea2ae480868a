import { hasTerminal, isLoopback, parseEnv } from '@commonplace/config';
import { trimMemory } from '@commonplace/http/trim-memory';
import { environment } from './environment.ts';
import type { SystemEnvironment } from './environment.ts';
import { startSystem } from './start-system.ts';
import type { RunningSystem, SystemOptions } from './system-options.ts';
import { watchParent } from './watch-parent.ts';

/**
 * Runs the supervisor: starts the system, prints one line on standard output when it is ready, and stops it on a
 * signal or when the package manager that started it has ended.
 */
export const run = async (
  options: Pick<SystemOptions, 'servicesDir' | 'buildsServedFiles'> = {},
): Promise<void> => {
  const env = parseEnv(environment);
  ignoreClosedOutput();
  const stopping = new AbortController();
  const system = startSystem({
    ...optionsOf(env),
    buildsServedFiles: true,
    ...options,
    log: progress,
    onSetupLink: printSetupLink(),
    signal: stopping.signal,
  });
  endOnRequest(system, stopping);
  try {
    const { baseUrl } = await system;
    console.log(readyLine(env, baseUrl));
    if (isOriginUnknown(env)) {
      progress(
        `PUBLIC_URL is not set: operators can sign in at ${baseUrl} on this machine only. Set it to the address that browsers use, such as https://notes.example.org.`,
      );
    }
    trimMemory();
  } catch (error) {
    if (!stopping.signal.aborted) {
      fail(error);
    }
  }
};

/** A signal can arrive more than once, from the terminal and from the package manager. */
const endOnRequest = (system: Promise<RunningSystem>, stopping: AbortController): void => {
  const end = async (why: string): Promise<void> => {
    if (stopping.signal.aborted) {
      return;
    }
    progress(why);
    stopping.abort();
    const running = await system.catch(() => undefined);
    await running?.stop();
    progress('Stopped');
    process.exit(0);
  };
  process.on('SIGINT', () => void end('Stopping'));
  process.on('SIGTERM', () => void end('Stopping'));
  const watching = new AbortController();
  const isDetached = !hasTerminal();
  process.on('SIGHUP', () => {
    if (!isDetached) {
      void end('The terminal is gone; stopping');
    } else if (!watching.signal.aborted) {
      // The same signal ends npx and pnpm above us.
      watching.abort();
      progress('The terminal is gone; running on, as with nohup. SIGTERM stops the system.');
    }
  });
  const onGone = () => void end('The package manager that started this is gone; stopping');
  void watchParent(onGone, watching);
};

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

const optionsOf = (env: SystemEnvironment) => {
  const { PORT, HOST, DATA_DIR, DATABASE_URL, DEPLOYMENT_MODE, ...given } = env;
  return {
    dataDir: DATA_DIR,
    host: HOST,
    port: PORT,
    mode: DEPLOYMENT_MODE,
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
    env: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    ),
  };
};

/** Progress goes to standard error; standard output has only the ready line and the setup link. */
const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A restarted auth service sends the link again; it is printed only if it changed. */
const printSetupLink = (): ((url: string) => void) => {
  let printed = '';
  return (url) => {
    if (url !== printed) {
      printed = url;
      console.log(
        `Create the first operator here (works once; of several links only the newest): ${url}`,
      );
    }
  };
};

const readyLine = (env: SystemEnvironment, baseUrl: string): string => {
  const url = env.PUBLIC_URL ?? baseUrl;
  const next =
    env.DEPLOYMENT_MODE === 'local_trusted'
      ? `Try: curl ${url}/api/companies (any program on this machine is the operator)`
      : `Sign in there, or with POST ${url}/api/auth/login`;
  return `Commonplace is ready at ${url} in ${env.DEPLOYMENT_MODE} mode. Console: ${url}/. ${next}; all routes: ${url}/api/docs`;
};

/** Whether other machines reach the gateway, but browsers there send an `Origin` that it rejects. */
const isOriginUnknown = ({ DEPLOYMENT_MODE, HOST, PUBLIC_URL }: SystemEnvironment): boolean =>
  DEPLOYMENT_MODE === 'authenticated' && PUBLIC_URL === undefined && !isLoopback(HOST);

/** If nobody reads our output any more, the system must still be stopped in order. */
const ignoreClosedOutput = (): void => {
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
};
