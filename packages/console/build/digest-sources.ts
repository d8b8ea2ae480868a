import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The inputs of the bundle besides the dependencies, whose versions are in the catalog. */
const sources = [
  'index.html',
  'public',
  'src',
  'build',
  'package.json',
  '../client/src',
  '../merge/src',
  '../note-files/src',
];
const versions = '../../pnpm-workspace.yaml';

/** The SHA-256 of all inputs of the console. Takes a few milliseconds: every `pnpm start` computes it. */
export const digestSources = async (packageDir: string): Promise<string> => {
  const found = await Promise.all(sources.map((name) => filesBelow(join(packageDir, name))));
  const paths = [...found.flat(), join(packageDir, versions)].toSorted();
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  const hash = createHash('sha256');
  for (const [index, path] of paths.entries()) {
    const content = contents[index] ?? Buffer.alloc(0);
    hash.update(`${relative(packageDir, path)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

const filesBelow = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') {
        return null;
      }
      throw error;
    },
  );
  return entries === null
    ? [path]
    : entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
};
