import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildEnvironment, toolEnvironment } from './service-environment.ts';

const repository = join(import.meta.dirname, '../../..');
const urlOf = (path: string): string => pathToFileURL(join(repository, path)).href;

/**
 * Something that the gateway serves and that is built on this machine. Nothing here is a dependency: production does
 * not install it.
 */
type Build = {
  readonly name: string;
  /** The module and its function that says whether the build matches the sources. */
  readonly check: string;
  readonly isBuilt: string;
  /** The program that builds it, and its variables. */
  readonly program: string;
  readonly environment: () => Record<string, string>;
};

const consoleBuild: Build = {
  name: 'console',
  check: urlOf('packages/console/build/is-console-built.ts'),
  isBuilt: 'isConsoleBuilt',
  program: join(repository, 'packages/console/build/main.ts'),
  environment: buildEnvironment,
};

const packagesBuild: Build = {
  name: 'packages',
  check: urlOf('tools/packages/are-packages-built.ts'),
  isBuilt: 'arePackagesBuilt',
  program: join(repository, 'tools/prepare-packages.ts'),
  environment: toolEnvironment,
};

/** The modules that every start loads, for the compile cache. */
export const buildChecks: readonly string[] = [consoleBuild.check, packagesBuild.check];

type PrepareOptions = {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
};

/** A registry that does not respond must not keep the system from starting. */
const buildMaxMs = 120_000;

/**
 * Builds the operators' console and the packages of the command line and the client, as far as they are missing or
 * stale. Without them the rest of the system still works.
 */
export const prepareBuilds = async (options: PrepareOptions): Promise<void> => {
  await Promise.all(
    [consoleBuild, packagesBuild].map(async (each) => {
      if (!(await isBuilt(each).catch(() => false))) {
        await build(each, options);
      }
    }),
  );
};

const isBuilt = async ({ check, isBuilt: name }: Build): Promise<boolean> => {
  const checks = (await import(check)) as Readonly<Record<string, () => Promise<boolean>>>;
  return (await checks[name]?.()) === true;
};

/** A separate process, so that the memory of the build is released. */
const build = (
  { name, program, environment }: Build,
  { log, signal }: PrepareOptions,
): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program], {
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: buildMaxMs,
      ...(signal === undefined ? {} : { signal }),
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => log(text.trimEnd()));
    child.once('error', (error) => {
      log(`The ${name} could not be built: ${error.message}`);
      resolve();
    });
    child.once('close', (_, killedBy) => {
      if (killedBy !== null && signal?.aborted !== true) {
        log(`The build of the ${name} did not end within ${buildMaxMs / 1000} s; it is left out.`);
      }
      resolve();
    });
  });
