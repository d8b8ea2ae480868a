import { AppError, type NoteId } from '@commonplace/contracts/core';
import { diffNoteContract, noteLimits } from '@commonplace/contracts/notes';
import { lookupInCompany, readInIndexOrder, type CompanyTx } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes, recheckedRead } from '../limits/large-reads.ts';
import type { RevisionRow } from '../queries/versions.ts';
import { findVersion, listRevisions } from '../queries/versions.ts';
import { diffFields } from '../rules/diff-fields.ts';

/** Compares two versions of a note. Large ones are read within the limits for large reads. */
export const diffNoteRoute = ({ db, readLarge }: Pick<Deps, 'db' | 'readLarge'>) =>
  defineRoute(diffNoteContract, async ({ params, query, company, stillAllowed }) => {
    const { id } = params;
    const to = query.to ?? (await lookupInCompany(db, company.id, (tx) => newestOf(tx, id)));
    const names = [query.from, to].map((revision) => ({ id, revision }));
    const sizes = await lookupInCompany(db, company.id, (tx) =>
      Promise.all(names.map((name) => findVersion(tx, name, 0))),
    );
    const bytes = sizes.reduce((sum, version) => sum + (version?.size ?? 0), 0);
    const read = () =>
      readInIndexOrder(db, company.id, (tx) =>
        Promise.all(names.map((name) => findVersion(tx, name, noteLimits.contentBytesMax))),
      );
    const [before, after] =
      bytes > largeNoteBytes
        ? await recheckedRead(readLarge, stillAllowed)(company.id, bytes, read)
        : await read();
    const fields = diffFields(whole(before), whole(after), query.context);
    return reply(200, { noteId: id, from: query.from, to, fields });
  });

const newestOf = async (tx: CompanyTx, id: NoteId): Promise<number> => {
  const [newest] = await listRevisions(tx, { id, before: null, limit: 1 });
  return newest?.revision ?? notFound();
};

const whole = (version: Awaited<ReturnType<typeof findVersion>> | undefined): RevisionRow => {
  const content = version?.content ?? null;
  return version && content !== null ? { ...version, content } : notFound();
};

const notFound = (): never => {
  throw new AppError('not_found', 'No such version of this note.');
};
