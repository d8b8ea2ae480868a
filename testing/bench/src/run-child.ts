import { fork, type ChildProcess } from 'node:child_process';

/** A module to run in a child process that sends its result over IPC. */
type Child = { readonly file: string; readonly input: unknown };

/** Runs a task in a child process, so that it does not share the bench's event loop. */
export const runTask = async <Result>({ file, input }: Child): Promise<Result> => {
  const { child, message } = start({ file, input });
  try {
    return (await message) as Result;
  } finally {
    child.kill('SIGKILL');
  }
};

/** Starts a server in a child process, which sends its port. */
export const runServer = async (
  options: Child,
): Promise<{ readonly url: string; readonly pid: number; readonly stop: () => void }> => {
  const { child, message } = start(options);
  const { port } = (await message) as { port: number };
  const stop = () => void child.kill('SIGKILL');
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop };
};

const start = ({ file, input }: Child): { child: ChildProcess; message: Promise<unknown> } => {
  const child = fork(file, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const message = new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`${file} ended (${signal ?? code}) before it sent a message`));
    });
  });
  child.send({ input });
  return { child, message };
};
