import type { Reach, NoteId } from '@commonplace/contracts/core';
import { blameLinesMax, blameNoteContract } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { reservedReader } from '../limits/work-limits.ts';
import { presentBlame } from '../present/present-blame.ts';
import { listRevisions, type RevisionSummaryRow } from '../queries/versions.ts';
import { rangesOf } from '../diff/blame-lines.ts';
import { withLineFeed } from '../diff/changed-lines.ts';
import { countLines } from '../diff/line-diff.ts';
import { assertActive } from '../rules/note-state.ts';
import { tracedMax, traceLines, withoutGaps } from '../diff/trace-lines.ts';
import { findWholeVersion, readWholeVersion } from '../read/read-whole-version.ts';

/**
 * Finds the versions that brought the lines of a note. Holds two versions at a time, whose bytes are reserved before the
 * first is read, until the end.
 */
export const blameNoteRoute = (deps: Pick<Deps, 'db' | 'describeAuthors' | 'log'>) =>
  defineRoute(blameNoteContract, async ({ params, query, company, work }) => {
    const { id } = params;
    const { db } = deps;
    const versions = await read(db, company.reach, (tx) =>
      listRevisions(tx, { id, before: null, limit: tracedMax.versions }),
    );
    const newest = assertActive(versions[0]);
    const trace = () => traceNote(db, { reach: company.reach, id, query, newest, versions });
    const bytes = 2 * Math.max(...versions.map(({ size }) => size));
    const { lineCount, origins } = await work.read(bytes, trace);
    const blame = presentBlame(newest, lineCount, rangesOf(origins));
    const named = await nameAuthors(
      deps,
      company.id,
      blame.ranges.flatMap(({ author, acceptance }) => [
        author,
        ...(acceptance ? [acceptance.acceptedBy] : []),
      ]),
    );
    const ranges = blame.ranges.map(({ acceptance, ...range }) => ({
      ...range,
      author: named(range.author),
      ...(acceptance && {
        proposal: { ...acceptance, acceptedBy: named(acceptance.acceptedBy) },
      }),
    }));
    return reply(200, { ...blame, ranges });
  });

type Traced = {
  readonly reach: Reach;
  readonly id: NoteId;
  readonly query: { readonly fromLine: number; readonly toLine?: number | undefined };
  readonly newest: RevisionSummaryRow;
  /** Newest first. */
  readonly versions: readonly RevisionSummaryRow[];
};

const traceNote = async (
  db: Deps['db'],
  { reach, id, query, newest, versions }: Traced,
): Promise<{
  readonly lineCount: number;
  readonly origins: Awaited<ReturnType<typeof traceLines<RevisionSummaryRow>>>;
}> => {
  const reading = { db, reader: reservedReader };
  const nameOf = ({ revision }: { readonly revision: number }) => ({ id, revision });
  const { content } = await readWholeVersion(reading, reach, nameOf(newest));
  const lineCount = countLines(withLineFeed(content));
  const end = Math.min(query.toLine ?? lineCount, query.fromLine + blameLinesMax - 1, lineCount);
  const lines = Array.from({ length: Math.max(0, end - query.fromLine + 1) }, (_, index) => {
    const line = query.fromLine - 1 + index;
    return { line, at: line };
  });
  const origins = await traceLines({
    lines,
    content,
    versions: withoutGaps(versions),
    readContent: async (version) =>
      (await findWholeVersion(reading, reach, nameOf(version)))?.content ?? null,
  });
  return { lineCount, origins };
};
