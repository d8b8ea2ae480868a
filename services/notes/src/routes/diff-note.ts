import type { NoteId } from '@commonplace/contracts/core';
import { diffNoteContract } from '@commonplace/contracts/notes';
import { lookupInCompany, type CompanyTx } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { recheckedRead } from '../limits/large-reads.ts';
import { listRevisions } from '../queries/versions.ts';
import { diffFields } from '../rules/diff-fields.ts';
import { assertFound } from '../rules/note-state.ts';
import { readWholeVersion } from '../write/read-whole-version.ts';

/** Compares two versions of a note. */
export const diffNoteRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(diffNoteContract, async ({ params, query, company, stillAllowed }) => {
    const { id } = params;
    const to = query.to ?? (await lookupInCompany(db, company.id, (tx) => newestOf(tx, id)));
    const reading = { db, readLarge: recheckedRead(readLarge, stillAllowed) };
    const before = await readWholeVersion(reading, company.id, { id, revision: query.from });
    const after = await readWholeVersion(reading, company.id, { id, revision: to });
    const fields = diffFields(before, after, query.context);
    return reply(200, { noteId: id, from: query.from, to, fields });
  });

/** The newest revision, which may be a deletion; throws `not_found`. */
const newestOf = async (tx: CompanyTx, id: NoteId): Promise<number> => {
  const [newest] = await listRevisions(tx, { id, before: null, limit: 1 });
  return assertFound(newest).revision;
};
