import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The folder of a service with its bundles, and the file in it that says which one is the newest and what it was made from. */
export const bundlesFolder = 'dist';
export const recordName = 'made-from.json';

/** What the newest bundle is. */
export type BundleRecord = {
  /** Its folder, below that of all bundles. */
  readonly folder: string;
  /** The files that it was made from by their paths from the service's folder, each with what it was like. */
  readonly files: Readonly<Record<string, string>>;
};

/**
 * What a file is like: its size and when it was changed last. Cheaper than its contents, which a start of four services would
 * read for 150 ms; a file that was written again is taken for a changed one.
 */
const likenessOf = ({ size, mtimeMs }: Stats): string => `${size} ${mtimeMs}`;

/** What these files are like. Rejects if one was changed after the time: what was written then may be in the bundle or not. */
export const recordFiles = async (
  serviceDir: string,
  paths: readonly string[],
  startedAtMs: number,
): Promise<BundleRecord['files']> =>
  Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => {
        const stats = await stat(path);
        if (Math.floor(stats.mtimeMs) > startedAtMs) {
          throw new Error(`${path} was changed while it was bundled`);
        }
        return [relative(serviceDir, path), likenessOf(stats)] as const;
      }),
    ),
  );

/** Whether the files are as recorded; false if one is gone. */
export const areAsRecorded = async (
  serviceDir: string,
  files: BundleRecord['files'],
): Promise<boolean> => {
  const same = await Promise.all(
    Object.entries(files).map(
      async ([path, likeness]) =>
        (await stat(join(serviceDir, path)).then(likenessOf, () => null)) === likeness,
    ),
  );
  return same.every(Boolean);
};

/** Null: nothing was recorded, or not as this release does it, or the end of the record is missing. */
export const readRecord = async (serviceDir: string): Promise<BundleRecord | null> => {
  try {
    const text = await readFile(join(serviceDir, bundlesFolder, recordName), 'utf8');
    const { folder, files } = JSON.parse(text) as Partial<BundleRecord>;
    return typeof folder === 'string' && files ? { folder, files } : null;
  } catch {
    return null;
  }
};
