import { setImmediate } from 'node:timers/promises';
import type { NoteId } from '@commonplace/contracts/core';
import { splitByOrigin, type TracedLine } from '../rules/blame-lines.ts';
import { withLineFeed } from '../rules/changed-lines.ts';
import { diffLines } from '../rules/line-diff.ts';
import type { RevisionSummaryRow } from '../queries/versions.ts';

/** Limits of the versions a request looks at. */
export const tracedMax = { versions: 200, bytes: 4 * 1024 * 1024 } as const;

/** The version of a line; `isAtOrBefore`: that one or an older one. */
type Origin = { readonly version: RevisionSummaryRow; readonly isAtOrBefore: boolean };

type Trace = {
  readonly lines: readonly TracedLine[];
  /** The content of the newest version. */
  readonly content: string;
  /** Newest first, without gaps. */
  readonly versions: readonly RevisionSummaryRow[];
  readonly readContent: (version: { id: NoteId; revision: number }) => Promise<string | null>;
};

/** Follows lines from version to older version, until each has its origin or a limit is reached. */
export const traceLines = async ({
  lines,
  content,
  versions,
  readContent,
}: Trace): Promise<Map<number, Origin>> => {
  const origins = new Map<number, Origin>();
  const [newest, ...olderVersions] = versions.filter(({ deleted }) => !deleted);
  let left = lines;
  let [current, after] = [newest, withLineFeed(content)];
  let bytes = newest?.size ?? 0;
  for (const version of olderVersions) {
    bytes += version.size;
    const isWithin = left.length > 0 && bytes <= tracedMax.bytes;
    const read = isWithin
      ? await readContent({ id: version.noteId, revision: version.revision })
      : null;
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
export const withoutGaps = (versions: readonly RevisionSummaryRow[]): RevisionSummaryRow[] => {
  const newest = versions[0]?.revision ?? 0;
  return versions.filter(({ revision }, index) => revision === newest - index);
};
