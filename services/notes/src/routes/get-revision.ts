import { getRevisionContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentRevision } from '../present/present-note.ts';
import { readWholeVersion } from '../read/read-whole-version.ts';

/** Reads one version of a note. */
export const getRevisionRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getRevisionContract, async ({ params, company, work }) => {
    const reading = { db, reader: work };
    return reply(200, presentRevision(await readWholeVersion(reading, company.reach, params)));
  });
