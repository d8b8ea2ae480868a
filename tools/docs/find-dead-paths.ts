import { posix } from 'node:path';
import { withoutCodeBlocks } from './without-code-blocks.ts';

/** What a page names that does not exist: a path of this repository, or a link to a file. */
export interface DeadPath {
  readonly page: string;
  readonly path: string;
}

const inBackticks = /`([\w.@-]+(?:\/[\w.@-]+)+)\/?`/g;
const link = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;

/**
 * Paths in backticks that begin with a folder of the repository, and relative links, which are no
 * file or folder of it. `files` are all files, with `/`.
 */
export function findDeadPaths(
  page: string,
  text: string,
  { files, folders }: { files: ReadonlySet<string>; folders: ReadonlySet<string> },
): DeadPath[] {
  const prose = withoutCodeBlocks(text);
  const named = [...prose.matchAll(inBackticks)]
    .map(([, path = '']) => path)
    .filter((path) => folders.has(path.slice(0, path.indexOf('/'))));
  const linked = [...prose.matchAll(link)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(\w+:|\/)/.test(target))
    .map((target) => posix.join(posix.dirname(page), target));
  return [...named, ...linked]
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => !files.has(path) && !folders.has(path))
    .map((path) => ({ page, path }));
}

/** The folders that hold these files. */
export function foldersOf(files: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}
