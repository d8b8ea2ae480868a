import type { Schema } from '../api-client.ts';
import type { MemoryPlace } from './memory-place.ts';

type Note = Pick<Schema<'ListedNote'>, 'folder' | 'title' | 'size'>;

/** How many levels below a directory are listed. */
const levelsMax = 2;

/** Formats a directory with the sizes of its files and directories, two levels deep. */
export const formatListing = ({ path, directory }: MemoryPlace, notes: readonly Note[]): string => {
  const sizes = new Map<string, number>([[path, 0]]);
  for (const { folder, title, size } of notes) {
    const segments = [...folder.split('/'), title].slice(directory.split('/').length);
    if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules')) {
      continue;
    }
    for (let level = 0; level <= Math.min(levelsMax, segments.length); level += 1) {
      const entry = [path, ...segments.slice(0, level)].join('/');
      sizes.set(entry, (sizes.get(entry) ?? 0) + size);
    }
  }
  const rows = [...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    `Here're the files and directories up to ${levelsMax} levels deep in ${path}, excluding hidden items and node_modules:`,
    ...rows.map(([entry, size]) => `${formatSize(size)}\t${entry}`),
  ].join('\n');
};

/** As `du -h` writes it: 512, 5.5K, 1.2M. */
const formatSize = (bytes: number): string => {
  let [value, unit] = [bytes, ''];
  for (const next of ['K', 'M', 'G']) {
    if (value < 1024) {
      break;
    }
    [value, unit] = [value / 1024, next];
  }
  return unit === '' ? String(value) : `${value.toFixed(1)}${unit}`;
};
