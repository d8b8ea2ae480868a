import { AppError } from '@commonplace/contracts/core';
import { getRevisionContract, noteLimits } from '@commonplace/contracts/notes';
import { lookUpInCompany, readInIndexOrder } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes, recheckedRead } from '../limits/large-reads.ts';
import { presentRevision } from '../present/present-note.ts';
import { findVersion } from '../queries/versions.ts';

/** Reads one version of a note; a large one in its turn. */
export const getRevisionRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(getRevisionContract, async ({ params, company, stillAllowed }) => {
    const seen = await lookUpInCompany(db, company.id, (tx) =>
      findVersion(tx, params, largeNoteBytes),
    );
    const readInTurn = recheckedRead(readLarge, stillAllowed);
    const version =
      seen && seen.size > largeNoteBytes
        ? await readInTurn(company.id, seen.size, () =>
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
