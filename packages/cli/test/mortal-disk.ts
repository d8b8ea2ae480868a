import { AsyncLocalStorage } from 'node:async_hooks';
import fs, { type FileHandle } from 'node:fs/promises';

/** A life of the program: so many writes to the disk until it is killed. */
type Life = { writesLeft: number; readonly files: FileHandle[] };

/** What a killed program would have done next. */
class KilledError extends Error {}

const lives = new AsyncLocalStorage<Life>();

/**
 * Lets a program live for so many writes to the disk; at the next one it is killed: neither that nor
 * anything it still tries reaches the disk. Gives whether it was.
 */
export const live = async (writes: number, program: () => Promise<unknown>): Promise<boolean> => {
  const life: Life = { writesLeft: writes, files: [] };
  try {
    await lives.run(life, program);
  } catch (error) {
    if (life.writesLeft >= 0) {
      throw error;
    }
  } finally {
    await Promise.all(life.files.map((file) => file.close()));
  }
  return life.writesLeft < 0;
};

const spend = (): void => {
  const life = lives.getStore();
  if (life && (life.writesLeft -= 1) < 0) {
    throw new KilledError('killed');
  }
};

const mortal =
  <Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>,
  ): ((...args: Args) => Promise<Result>) =>
  async (...args) => {
    spend();
    return write(...args);
  };

/** `node:fs/promises` for programs that can be killed; outside of a life it is Node's own. */
export const mortalDisk = {
  ...fs,
  chmod: mortal(fs.chmod),
  link: mortal(fs.link),
  mkdir: mortal(fs.mkdir),
  rename: mortal(fs.rename),
  rm: mortal(fs.rm),
  writeFile: mortal(fs.writeFile),
  open: async (...args: Parameters<typeof fs.open>): Promise<FileHandle> => {
    // Opened to be read, by number, nothing changes on the disk.
    if (typeof args[1] === 'string') {
      spend();
    }
    const file = await fs.open(...args);
    lives.getStore()?.files.push(file);
    return Object.assign(file, {
      appendFile: mortal(file.appendFile.bind(file)),
      truncate: mortal(file.truncate.bind(file)),
      writeFile: mortal(file.writeFile.bind(file)),
    });
  },
};
