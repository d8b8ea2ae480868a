import { fork, type ChildProcess } from 'node:child_process';

/** A module to run in a child process that sends its result over IPC. */
type Child = { readonly file: string; readonly input: unknown };

/** Runs a task in a child process, so that it does not share the bench's event loop. */
export const runTask = async <Result>({ file, input }: Child): Promise<Result> => {
  const child = start(file);
  try {
    return (await send(child, input)) as Result;
  } finally {
    child.kill('SIGKILL');
  }
};

/** Processes that wait for their next task, by file. */
const idle = new Map<string, ChildProcess[]>();

/**
 * Runs a task in a process that has run such tasks before, if one is idle: to start one takes half a second, and code that ran
 * before is faster, as that of the product is.
 */
export const runRepeatedTask = async <Result>({ file, input }: Child): Promise<Result> => {
  const child = idle.get(file)?.pop() ?? start(file);
  child.ref();
  child.channel?.ref();
  const result = (await send(child, input)) as Result;
  // It does not keep the bench from ending.
  child.unref();
  child.channel?.unref();
  idle.set(file, [...(idle.get(file) ?? []), child]);
  return result;
};

/** Ends the processes that wait for a task: they share memory with the product, which would seem to need less. */
export const endIdleTasks = (): void => {
  [...idle.values()].flat().forEach((child) => child.kill('SIGKILL'));
  idle.clear();
};

/** Starts a server in a child process, which sends its port. */
export const runServer = async ({
  file,
  input,
}: Child): Promise<{ readonly url: string; readonly pid: number; readonly stop: () => void }> => {
  const child = start(file);
  const { port } = (await send(child, input)) as { port: number };
  const stop = () => void child.kill('SIGKILL');
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop };
};

const start = (file: string): ChildProcess =>
  fork(file, { execArgv: ['--disable-warning=ExperimentalWarning'] });

/** Sends an input, and returns what the process sends back. */
const send = (child: ChildProcess, input: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      reject(
        new Error(`${child.spawnargs.at(-1)} ended (${signal ?? code}) before it sent a message`),
      );
    };
    child.once('exit', onExit);
    child.once('error', reject);
    child.once('message', (message) => {
      child.off('exit', onExit);
      child.off('error', reject);
      resolve(message);
    });
    child.send({ input });
  });
