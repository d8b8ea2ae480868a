import { AppError, type CompanyId } from '@commonplace/contracts/core';
import { blameLinesMax, blameNoteContract, noteLimits } from '@commonplace/contracts/notes';
import { readInCompany, readInIndexOrder } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes, recheckedRead, type ReadLarge } from '../limits/large-reads.ts';
import { presentBlame } from '../present/present-blame.ts';
import { findVersion, listRevisions, type RevisionSummaryRow } from '../queries/versions.ts';
import { rangesOf } from '../rules/blame-lines.ts';
import { withLineFeed } from '../rules/changed-lines.ts';
import { countLines } from '../rules/line-diff.ts';
import { tracedMax, traceLines, withoutGaps } from './trace-lines.ts';

/** Finds the versions that brought the lines of a note. Reads one version at a time. */
export const blameNoteRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(blameNoteContract, async ({ params, query, company, stillAllowed }) => {
    const { id } = params;
    const versions = await readInCompany(db, company.id, (tx) =>
      listRevisions(tx, { id, before: null, limit: tracedMax.versions }),
    );
    const newest = assertActive(versions);
    const reading = { db, readLarge: recheckedRead(readLarge, stillAllowed) };
    const sizes = new Map(versions.map(({ revision, size }) => [revision, size]));
    const readContent = ({ revision }: { readonly revision: number }) =>
      readVersion(reading, company.id, { id, revision, size: sizes.get(revision) ?? 0 });
    const content = (await readContent(newest)) ?? notFound();
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
      readContent,
    });
    return reply(200, presentBlame(newest, lineCount, rangesOf(origins)));
  });

/** The newest version; throws `not_found` or `note_deleted`. */
const assertActive = ([newest]: readonly RevisionSummaryRow[]): RevisionSummaryRow => {
  if (newest?.deleted === true) {
    throw new AppError('note_deleted', 'The note was deleted; its revisions are still there.');
  }
  return newest ?? notFound();
};

const notFound = (): never => {
  throw new AppError('not_found', 'No such note.');
};

type Named = Pick<RevisionSummaryRow, 'revision' | 'size'> & {
  readonly id: RevisionSummaryRow['noteId'];
};

const readVersion = async (
  { db, readLarge }: { readonly db: Deps['db']; readonly readLarge: ReadLarge },
  companyId: CompanyId,
  { id, revision, size }: Named,
): Promise<string | null> => {
  const read = () =>
    readInIndexOrder(db, companyId, (tx) =>
      findVersion(tx, { id, revision }, noteLimits.contentBytesMax),
    );
  const version = size > largeNoteBytes ? await readLarge(companyId, size, read) : await read();
  return version?.content ?? null;
};
