import { spawn } from 'node:child_process';

/** What a command printed, and how it ended. */
type Ran = { readonly exitCode: number; readonly output: string };

type RunOptions = {
  readonly folder?: string;
  readonly input?: string;
  /** Variables beside those of this process. */
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

/** As `run`, and fails with everything the program printed when it fails. */
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

/** Which of the two there is: the plug-in of the docker command, or the program of its own. */
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

/** Makes the function that runs commands of docker-compose on one project. */
export const composeOf = async ({ name, folder, envFile, env }: Project): Promise<Compose> => {
  const program = await composeProgram();
  if (!program) {
    throw new Error('Neither docker compose nor docker-compose is installed');
  }
  const [command, ...first] = program;
  return (...args) =>
    mustRun(command, [...first, '-p', name, '--env-file', envFile, ...args], { folder, env });
};

/** The ids of the containers of a service, in no order. */
export const containersOf = async (compose: Compose, service: string): Promise<string[]> =>
  (await compose('ps', '-q', service)).split('\n').filter(Boolean);
