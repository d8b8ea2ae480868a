import { hasTerminal } from '@commonplace/config';

/** Ends or removes something that a command made. */
type Undo = () => Promise<unknown>;

const undos: Undo[] = [];
let isEnding = false;

/**
 * Runs `work`, and `undo` after it. If the process gets a signal or an error that nobody handles meanwhile, `undo`
 * still runs before it ends: a database server that a command started would otherwise stay.
 */
export const whileRunning = async <Result>(
  undo: Undo,
  work: () => Promise<Result>,
): Promise<Result> => {
  listenOnce();
  let undone: Promise<unknown> | undefined;
  const undoOnce = () => (undone ??= undo());
  undos.push(undoOnce);
  try {
    return await work();
  } finally {
    await undoOnce();
    const at = undos.indexOf(undoOnce);
    if (at !== -1) {
      undos.splice(at, 1);
    }
  }
};

let isListening = false;
const isOnTerminal = hasTerminal();

const listenOnce = (): void => {
  if (isListening) {
    return;
  }
  isListening = true;
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.on(signal, () => {
      // `nohup` is for surviving just that.
      if (signal !== 'SIGHUP' || isOnTerminal) {
        void end(`Interrupted by ${signal}; nothing is left running.`, 128 + number);
      }
    });
  }
  process.on('uncaughtException', (error) => void end(error.message, 1));
};

const end = async (message: string, exitCode: number): Promise<void> => {
  if (isEnding) {
    return;
  }
  isEnding = true;
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    await undo().catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
};
