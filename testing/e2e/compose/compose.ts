import { spawn } from 'node:child_process';

/** Output and exit code of a command. */
type Ran = { readonly exitCode: number; readonly output: string };

type RunOptions = {
  readonly folder?: string;
  readonly input?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs a program and collects what it prints. */
export const run = (
  program: string,
  args: readonly string[],
  { folder, input, env = {} }: RunOptions = {},
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: folder,
      // Docker finds its engine through DOCKER_HOST.
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => resolve({ exitCode: 127, output: error.message }));
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

/** Like `run`, but throws with the output if the program fails. */
export const mustRun = async (
  program: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<string> => {
  const { exitCode, output } = await run(program, args, options);
  if (exitCode !== 0) {
    throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}:\n${output}`);
  }
  return output.trim();
};

export type Compose = (...args: readonly string[]) => Promise<string>;

/** The available variant: the plug-in of docker, or the standalone program. */
const composeProgram = async (): Promise<readonly [string, ...string[]] | null> => {
  if ((await run('docker', ['compose', 'version'])).exitCode === 0) {
    return ['docker', 'compose'];
  }
  return (await run('docker-compose', ['version'])).exitCode === 0 ? ['docker-compose'] : null;
};

export type Project = {
  readonly name: string;
  /** Where docker-compose.yml is. */
  readonly folder: string;
  /** The file with the settings. */
  readonly envFile: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Creates a function that runs docker-compose commands on one project. */
export const composeOf = async ({ name, folder, envFile, env }: Project): Promise<Compose> => {
  const program = await composeProgram();
  if (!program) {
    throw new Error('Neither docker compose nor docker-compose is installed');
  }
  const [command, ...first] = program;
  return (...args) =>
    mustRun(command, [...first, '-p', name, '--env-file', envFile, ...args], { folder, env });
};

/** The container ids of a service, unordered. */
export const containersOf = async (compose: Compose, service: string): Promise<string[]> =>
  (await compose('ps', '-q', service)).split('\n').filter(Boolean);
