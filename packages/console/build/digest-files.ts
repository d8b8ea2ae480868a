import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/**
 * The SHA-256 of files and of all files below folders, which `names` gives relative to `root`; missing ones are left
 * out. Takes a few milliseconds: every `pnpm start` computes it.
 */
export const digestFiles = async (root: string, names: readonly string[]): Promise<string> => {
  const found = await Promise.all(names.map((name) => filesBelow(join(root, name))));
  const paths = found.flat().toSorted();
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  const hash = createHash('sha256');
  for (const [index, path] of paths.entries()) {
    const content = contents[index] ?? Buffer.alloc(0);
    hash.update(`${relative(root, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

const filesBelow = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') {
        return [path];
      }
      if (error.code === 'ENOENT') {
        return [];
      }
      throw error;
    },
  );
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') {
      return [entry];
    }
    return entry.isFile() ? [join(entry.parentPath, entry.name)] : [];
  });
};
