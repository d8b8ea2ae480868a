import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { type FileHandle } from 'node:fs/promises';

/** One run of the program, with the number of disk writes until it is killed, or the disk fails. */
type ProgramRun = { writesLeft: number; readonly files: FileHandle[]; readonly fault: () => Error };

/** Ends a killed program. */
class KilledError extends Error {}

const runs = new AsyncLocalStorage<ProgramRun>();

/**
 * Runs a program that is killed after this many writes to the disk: no further write reaches the disk.
 * Returns whether it was killed.
 */
export const runUntilKilled = async (
  writes: number,
  program: () => Promise<unknown>,
): Promise<boolean> => {
  const fault = (): Error => new KilledError('killed');
  const run: ProgramRun = { writesLeft: writes, files: [], fault };
  try {
    await runs.run(run, program);
  } catch (error) {
    if (run.writesLeft >= 0) {
      throw error;
    }
  } finally {
    await Promise.all(run.files.map((file) => file.close()));
  }
  return run.writesLeft < 0;
};

/** Runs a program whose disk fails after this many writes, until the program ends. Returns whether it failed. */
export const runOnFailingDisk = async (
  writes: number,
  program: () => Promise<unknown>,
): Promise<boolean> => {
  const fault = (): Error => Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
  const run: ProgramRun = { writesLeft: writes, files: [], fault };
  try {
    await runs.run(run, program);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EIO') {
      throw error;
    }
  }
  return run.writesLeft < 0;
};

const countWrite = (): void => {
  const run = runs.getStore();
  if (run && (run.writesLeft -= 1) < 0) {
    throw run.fault();
  }
};

const killable =
  <Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>,
  ): ((...args: Args) => Promise<Result>) =>
  async (...args) => {
    countWrite();
    return write(...args);
  };

/** `node:fs/promises` for programs that can be killed. Outside a run it behaves like Node's own. */
export const killableDisk = {
  ...fs,
  chmod: killable(fs.chmod),
  link: killable(fs.link),
  mkdir: killable(fs.mkdir),
  rename: killable(fs.rename),
  rm: killable(fs.rm),
  writeFile: killable(fs.writeFile),
  open: async (...args: Parameters<typeof fs.open>): Promise<FileHandle> => {
    // Numeric flags open for reading, which changes nothing on the disk.
    if (typeof args[1] === 'string') {
      countWrite();
    }
    const file = await fs.open(...args);
    runs.getStore()?.files.push(file);
    return Object.assign(file, {
      appendFile: killable(file.appendFile.bind(file)),
      truncate: killable(file.truncate.bind(file)),
      writeFile: killable(file.writeFile.bind(file)),
    });
  },
};
