import type { ModelDisk } from './model-disk.ts';

let current: ModelDisk | null = null;

/** Mounts a disk in place of the one before. */
export const mount = (disk: ModelDisk): void => {
  current = disk;
};

type Functions = ModelDisk['promises'];

const call =
  (name: keyof Functions) =>
  async (...args: readonly unknown[]): Promise<unknown> => {
    const target = current?.promises[name] as
      | ((...all: readonly unknown[]) => Promise<unknown>)
      | undefined;
    return target?.(...args);
  };

/** `node:fs/promises` over the mounted disk. */
export const modelDisk = Object.fromEntries(
  (
    [
      'lstat',
      'readdir',
      'readFile',
      'mkdir',
      'link',
      'rename',
      'rm',
      'chmod',
      'chown',
      'writeFile',
      'open',
    ] as const
  ).map((name) => [name, call(name)]),
);
