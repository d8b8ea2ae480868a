import { readdir, lstat } from 'node:fs/promises';
import { join } from 'node:path';

/** A Markdown file of the folder; its path is relative, with `/` between its segments. */
export type FoundFile = {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
};

/**
 * Lists the Markdown files of a folder and its sub-folders. Hidden ones are left out, and links are
 * not followed: what they lead to may be anywhere.
 */
export const listFiles = async (root: string): Promise<FoundFile[]> => {
  const found: FoundFile[] = [];
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) {
        continue;
      }
      if (entry.isDirectory()) {
        await visit(path);
      } else if (entry.isFile() && /\.md$/i.test(entry.name)) {
        const file = await statFile(root, path);
        found.push(...(file ? [file] : []));
      }
    }
  };
  await visit('');
  return found;
};

/** What the file system says of a file; null when there is no such file. */
export const statFile = async (root: string, path: string): Promise<FoundFile | null> => {
  try {
    const { size, mtimeMs, ino } = await lstat(join(root, path));
    return { path, size, mtimeMs, inode: ino };
  } catch {
    return null;
  }
};
