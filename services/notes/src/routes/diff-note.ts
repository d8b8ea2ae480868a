import type { Reach, NoteId } from '@commonplace/contracts/core';
import { diffNoteContract } from '@commonplace/contracts/notes';
import { lookup, type CompanyTx } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { reservedReader } from '../limits/work-limits.ts';
import type { VersionName } from '../queries/version-texts.ts';
import { findVersion, listRevisions } from '../queries/versions.ts';
import { diffFields } from '../diff/diff-fields.ts';
import { assertFound } from '../rules/note-state.ts';
import { readWholeVersion } from '../read/read-whole-version.ts';

/** Compares two versions of a note. The bytes of both are reserved before the first is read, until the end. */
export const diffNoteRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(diffNoteContract, async ({ params, query, company, work }) => {
    const { id } = params;
    const to = query.to ?? (await lookup(db, company.reach, (tx) => newestOf(tx, id)));
    const names = { from: { id, revision: query.from }, to: { id, revision: to } };
    const compare = async () => {
      const reading = { db, reader: reservedReader };
      const before = await readWholeVersion(reading, company.reach, names.from);
      const after = await readWholeVersion(reading, company.reach, names.to);
      return diffFields(before, after, query.context);
    };
    const bytes = await bytesOf(db, company.reach, [names.from, names.to]);
    const fields = await work.read(bytes, compare);
    return reply(200, { noteId: id, from: query.from, to, fields });
  });

/** The newest revision, which may be a deletion; throws `not_found`. */
const newestOf = async (tx: CompanyTx, id: NoteId): Promise<number> => {
  const [newest] = await listRevisions(tx, { id, before: null, limit: 1 });
  return assertFound(newest).revision;
};

/** The bytes of the versions that are stored. */
const bytesOf = async (
  db: Deps['db'],
  reach: Reach,
  names: readonly VersionName[],
): Promise<number> => {
  const versions = await Promise.all(
    names.map((name) => lookup(db, reach, (tx) => findVersion(tx, name, 0))),
  );
  return versions.reduce((sum, version) => sum + (version?.size ?? 0), 0);
};
