import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const program = join(import.meta.dirname, '../../../cli/src/main.ts');

export type WatchedFolder = {
  /** The Markdown files by path. */
  readonly files: () => Promise<ReadonlyMap<string, string>>;
  /** Adds a line to the end of a file, as an editor does. */
  readonly append: (path: string, line: string) => Promise<void>;
  /** Ends the watch, and synchronises once more. Throws unless both sides are equal then. */
  readonly settle: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

type Access = { readonly baseUrl: string; readonly key: string };

/** Starts `commonplace sync --watch` for a new folder. */
export const watchFolder = async ({ baseUrl, key }: Access): Promise<WatchedFolder> => {
  const root = await mkdtemp(join(tmpdir(), 'commonplace-undo-'));
  const start = (...args: string[]) =>
    spawn(process.execPath, [program, 'sync', root, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: '/tmp',
        COMMONPLACE_URL: baseUrl,
        COMMONPLACE_API_KEY: key,
      },
      stdio: 'ignore',
    });
  const watch = start('--watch');
  const end = async () => {
    watch.kill('SIGINT');
    await (watch.exitCode === null ? once(watch, 'close') : undefined);
  };
  const files = async () => {
    const names = await readdir(root, { recursive: true });
    const paths = names.filter((name) => name.endsWith('.md') && !name.startsWith('.'));
    const texts = await Promise.all(
      paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
    );
    return new Map(texts);
  };
  return {
    files,
    append: async (path, line) => {
      // The client may put another file in its place between opening and writing.
      for (let text = ''; !text.includes(line);) {
        await appendFile(join(root, path), `${line}\n`);
        text = await readFile(join(root, path), 'utf8').catch(() => '');
      }
    },
    settle: async () => {
      await end();
      const [code] = (await once(start(), 'close')) as [number | null];
      if (code !== 0) {
        throw new Error(`The last synchronisation ended with ${String(code)}`);
      }
    },
    remove: async () => {
      if (watch.exitCode === null && watch.signalCode === null) {
        await end();
      }
      await rm(root, { recursive: true, force: true });
    },
  };
};

/** Waits until the folder has so many files. */
export const untilFiles = async (folder: WatchedFolder, count: number): Promise<void> => {
  while ((await folder.files().catch(() => new Map())).size < count) {
    await sleep(50);
  }
};
