import { getRevisionContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { recheckedRead } from '../limits/large-reads.ts';
import { presentRevision } from '../present/present-note.ts';
import { readWholeVersion } from '../write/read-whole-version.ts';

/** Reads one version of a note. */
export const getRevisionRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(getRevisionContract, async ({ params, company, stillAllowed }) => {
    const reading = { db, readLarge: recheckedRead(readLarge, stillAllowed) };
    return reply(200, presentRevision(await readWholeVersion(reading, company.reach, params)));
  });
