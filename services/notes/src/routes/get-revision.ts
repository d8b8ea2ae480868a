import { AppError } from '@commonplace/contracts/core';
import { getRevisionContract, noteLimits } from '@commonplace/contracts/notes';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentRevision } from '../present/present-note.ts';
import { listVersions } from '../queries/versions.ts';

/** Reads one version of a note. */
export const getRevisionRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getRevisionContract, async ({ params, company }) => {
    const [version] = await lookUpInCompany(db, company.id, (tx) =>
      listVersions(tx, [params], noteLimits.contentBytesMax),
    );
    const content = version?.content ?? null;
    if (!version || content === null) {
      throw new AppError('not_found', 'No such version of this note.');
    }
    return reply(200, presentRevision({ ...version, content }));
  });
