import { AppError } from '@commonplace/contracts/core';
import { getRevisionContract, noteLimits } from '@commonplace/contracts/notes';
import { lookupInCompany, readInIndexOrder } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes, recheckedRead } from '../limits/large-reads.ts';
import { presentRevision } from '../present/present-note.ts';
import { findVersion } from '../queries/versions.ts';

/** Reads one version of a note. Large ones are limited. */
export const getRevisionRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(getRevisionContract, async ({ params, company, stillAllowed }) => {
    const seen = await lookupInCompany(db, company.id, (tx) =>
      findVersion(tx, params, largeNoteBytes),
    );
    const readRechecked = recheckedRead(readLarge, stillAllowed);
    const version =
      seen && seen.size > largeNoteBytes
        ? await readRechecked(company.id, seen.size, () =>
            readInIndexOrder(db, company.id, (tx) =>
              findVersion(tx, params, noteLimits.contentBytesMax),
            ),
          )
        : seen;
    const content = version?.content ?? null;
    if (!version || content === null) {
      throw new AppError('not_found', 'No such version of this note.');
    }
    return reply(200, presentRevision({ ...version, content }));
  });
