import { AppError, type Reach } from '@commonplace/contracts/core';
import { noteLimits } from '@commonplace/contracts/notes';
import { inIndexOrder, lookup, read } from '@commonplace/db';
import { largeNoteBytes } from '../limits/work-limits.ts';
import type { Reading } from './read-whole-note.ts';
import type { VersionName } from '../queries/version-texts.ts';
import { findVersion, type RevisionRow } from '../queries/versions.ts';

/** Reads a version of a note with its content; null: it is not stored. Reads of large ones are limited. */
export const findWholeVersion = async (
  { db, reader }: Reading,
  reach: Reach,
  name: VersionName,
): Promise<RevisionRow | null> => {
  const seen = await lookup(db, reach, (tx) => findVersion(tx, name, largeNoteBytes));
  const version =
    seen && seen.content === null
      ? await reader.read(seen.size, () =>
          read(db, inIndexOrder(reach), (tx) => findVersion(tx, name, noteLimits.contentBytesMax)),
        )
      : seen;
  const content = version?.content ?? null;
  return version && content !== null ? { ...version, content } : null;
};

/** As `findWholeVersion`; throws `not_found` instead of null. */
export const readWholeVersion = async (
  ...request: Parameters<typeof findWholeVersion>
): Promise<RevisionRow> => {
  const version = await findWholeVersion(...request);
  if (!version) {
    throw new AppError('not_found', 'No such version of this note.');
  }
  return version;
};
