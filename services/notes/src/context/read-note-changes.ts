import type { Reach, NoteId } from '@commonplace/contracts/core';
import type { NoteChanges } from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { nameAuthors } from './name-authors.ts';
import type { Deps } from '../deps.ts';
import { largeNoteBytes } from '../limits/work-limits.ts';
import { presentRevisionSummary } from '../present/present-note.ts';
import { findVersion, listRevisions } from '../queries/versions.ts';
import { changedLines } from '../diff/changed-lines.ts';

const shownMax = 20;

type Range = {
  readonly reach: Reach;
  readonly id: NoteId;
  /** The version that was read. */
  readonly from: number;
  /** The version that was edited. */
  readonly to: number;
};

/** What others changed between the version that a caller read and the one that its edit met. */
export const readNoteChanges = async (
  deps: Pick<Deps, 'db' | 'describeAuthors' | 'log'>,
  { reach, id, from, to }: Range,
): Promise<NonNullable<NoteChanges['since']>> => {
  const found = await read(deps.db, reach, async (tx) => {
    const page = await listRevisions(tx, { id, before: to + 1, limit: shownMax + 1 });
    const versions = page.filter(({ revision }) => revision > from);
    if (versions.length === 0) {
      return { versions, lines: { linesAdded: 0, linesRemoved: 0 } };
    }
    const before = await findVersion(tx, { id, revision: from }, largeNoteBytes);
    const after = await findVersion(tx, { id, revision: to }, largeNoteBytes);
    const isKnown = typeof before?.content === 'string' && typeof after?.content === 'string';
    const lines = isKnown ? changedLines(before.content, after.content) : undefined;
    return { versions, lines };
  });
  const shown = found.versions.slice(0, shownMax).map(presentRevisionSummary);
  const authors = shown.map(({ createdBy }) => createdBy);
  const named = await nameAuthors(deps, reach.companyId, authors);
  return {
    revisions: shown.map(({ revision, createdAt, createdBy }) => ({
      revision,
      at: createdAt,
      author: named(createdBy),
    })),
    hasMore: found.versions.length > shownMax,
    linesAdded: found.lines?.linesAdded ?? null,
    linesRemoved: found.lines?.linesRemoved ?? null,
  };
};
