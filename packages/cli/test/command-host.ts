import { text as readAll } from 'node:stream/consumers';
import { PassThrough, Readable } from 'node:stream';

/*
 * A process that runs the program for one command after another: its entry point is evaluated again, with the arguments, the
 * environment, the input and the output of that command, and everything that it imports is loaded once.
 */

/** A command, as its parent sends it. */
export type HostedCommand = {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
};

/** What it printed, and its exit code. */
export type Ran = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

const main = new URL('../src/main.ts', import.meta.url);
let count = 0;

const run = async ({ args, env, input }: HostedCommand): Promise<Ran> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([readAll(stdout), readAll(stderr)]);
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout, stderr };
  for (const [name, value] of Object.entries(streams)) {
    Object.defineProperty(process, name, { configurable: true, value });
  }
  process.argv = [process.execPath, main.pathname, ...args];
  process.env = { ...env };
  count += 1;
  await import(`${main.href}?command=${count}`);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  stdout.end();
  stderr.end();
  const [printed, complained] = await written;
  return { code, stdout: printed, stderr: complained };
};

process.on('message', (command: HostedCommand) => {
  void run(command).then((ran) => process.send?.(ran));
});
process.on('disconnect', () => process.exit());
