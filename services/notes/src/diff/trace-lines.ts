import { setImmediate } from 'node:timers/promises';
import { splitByOrigin, type TracedLine } from './blame-lines.ts';
import { withLineFeed } from './changed-lines.ts';
import { diffLines } from './line-diff.ts';

/** Limits of the versions a request looks at. */
export const tracedMax = { versions: 200, bytes: 4 * 1024 * 1024 } as const;

type Version = { readonly revision: number; readonly size: number; readonly deleted: boolean };

/** The version of a line; `isAtOrBefore`: that one or an older one. */
type Origin<V extends Version> = { readonly version: V; readonly isAtOrBefore: boolean };

type Trace<V extends Version> = {
  readonly lines: readonly TracedLine[];
  /** The content of the newest version. */
  readonly content: string;
  /** Newest first, without gaps. */
  readonly versions: readonly V[];
  readonly readContent: (version: V) => Promise<string | null>;
};

/** Follows lines from version to older version, until each has its origin or a limit is reached. */
export const traceLines = async <V extends Version>({
  lines,
  content,
  versions,
  readContent,
}: Trace<V>): Promise<Map<number, Origin<V>>> => {
  const origins = new Map<number, Origin<V>>();
  const [newest, ...olderVersions] = versions.filter(({ deleted }) => !deleted);
  let left = lines;
  let [current, after] = [newest, withLineFeed(content)];
  let bytes = newest?.size ?? 0;
  for (const version of olderVersions) {
    bytes += version.size;
    const isWithin = left.length > 0 && bytes <= tracedMax.bytes;
    const read = isWithin ? await readContent(version) : null;
    if (!current || read === null) {
      break;
    }
    const before = withLineFeed(read);
    const { changes, isExact } = diffLines(before, after);
    if (!isExact) {
      break;
    }
    const { brought, older } = splitByOrigin(left, changes);
    const origin = { version: current, isAtOrBefore: false };
    brought.forEach((line) => origins.set(line, origin));
    [left, current, after] = [older, version, before];
    await setImmediate();
  }
  if (current && left.length > 0) {
    const origin = { version: current, isAtOrBefore: current.revision !== 1 };
    left.forEach(({ line }) => origins.set(line, origin));
  }
  return origins;
};

/** The versions up to the first gap, where old ones were pruned. */
export const withoutGaps = <V extends Version>(versions: readonly V[]): V[] => {
  const newest = versions[0]?.revision ?? 0;
  return versions.filter(({ revision }, index) => revision === newest - index);
};
