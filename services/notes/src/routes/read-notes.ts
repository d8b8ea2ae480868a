import type { NoteId } from '@commonplace/contracts/core';
import { readNotesContract } from '@commonplace/contracts/notes';
import { inIndexOrder, lookup, read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largePageBytes } from '../limits/work-limits.ts';
import { presentNote } from '../present/present-note.ts';
import { hasContent, type StoredNote } from '../queries/note-rows.ts';
import { listNoteSizes, listNotesUpTo, type NoteSize } from '../queries/note-sizes.ts';
import { assertOfNoOtherCompany } from '../read/assert-of-no-other-company.ts';
import { notesThatFit } from '../rules/notes-that-fit.ts';

/** Reads many notes. Chooses by their sizes, and reads only the contents that fit. */
export const readNotesRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(readNotesContract, async ({ body, company, work }) => {
    const ids = [...new Set(body.ids)];
    const sizes = await lookup(db, company.reach, (tx) => listNoteSizes(tx, ids));
    const unknown = without(ids, sizes);
    if (unknown.length > 0) {
      await assertOfNoOtherCompany({ db }, company.reach, { ids: unknown, subject: 'A note' });
    }
    const active = inOrder(ids, sizes).filter(({ deletedAt }) => deletedAt === null);
    const { chosen, bytes } = notesThatFit(active, body.maxBytes);
    const readChosen = () =>
      read(db, inIndexOrder(company.reach), (tx) => listNotesUpTo(tx, chosen));
    const rows = await work.read(bytes, readChosen, largePageBytes);
    return reply(200, presentRead(ids, active, rows));
  });

type Identified = { readonly id: NoteId };

/** The ids that none of the rows has. */
const without = (ids: readonly NoteId[], rows: readonly Identified[]): NoteId[] => {
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
};

const inOrder = <Row extends Identified>(ids: readonly NoteId[], rows: readonly Row[]): Row[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Notes that grew since they were chosen are omitted; notes that were deleted since are missing. */
const presentRead = (
  ids: readonly NoteId[],
  active: readonly NoteSize[],
  rows: readonly StoredNote[],
) => {
  const found = inOrder(ids, rows).filter(({ deletedAt }) => deletedAt === null);
  const notes = found.filter(hasContent);
  const readIds = new Set(rows.map(({ id }) => id));
  const left = active.filter(({ id }) => !readIds.has(id));
  const grown = found.filter((note) => !hasContent(note));
  const omitted = inOrder<NoteSize>(ids, [...left, ...grown]);
  return {
    notes: notes.map(presentNote),
    omitted: omitted.map(({ id, title, size }) => ({ id, title, size })),
    missing: without(ids, [...notes, ...omitted]),
  };
};
