import { AppError, canReadIn, type NoteId } from '@commonplace/contracts/core';
import { getNoteByPathContract } from '@commonplace/contracts/notes';
import { inIndexOrder, read, type CompanyTx } from '@commonplace/db';
import { defineRoute, matchesEtag, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { noteReplyHeaders, presentNote } from '../present/present-note.ts';
import { listTitledNotes, type TitledNote, type TitleName } from '../queries/titles.ts';
import { readActiveNote } from '../read/read-whole-note.ts';
import { noteOfTitle, titledNotesMax } from '../rules/note-of-title.ts';
import { namedTagOf } from '../rules/precondition.ts';

/** Reads the one note of a title in a folder. */
export const getNoteByPathRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getNoteByPathContract, async ({ query, company, header, work }) => {
    if (!canReadIn(company.grants, query.folder)) {
      throw new AppError('folder_not_granted');
    }
    const found = await read(db, inIndexOrder(company.reach), (tx) => listAtPath(tx, query));
    const { id, revision } = onlyOne(query, found);
    const headers = replyHeadersOf({ id, revision });
    if (matchesEtag(header('If-None-Match'), headers.ETag)) {
      return { status: 304 as const, headers };
    }
    const note = await readActiveNote({ db, reader: work }, company.reach, id);
    return reply(200, presentNote(note), replyHeadersOf(note));
  });

/** Their ETag names the note: that of this title may be another one the next time. */
const replyHeadersOf = (note: { readonly id: NoteId; readonly revision: number }) => ({
  ...noteReplyHeaders(note),
  ETag: `"${namedTagOf(note)}"`,
});

type AtPath = TitledNote & { readonly id: NoteId };

const listAtPath = async (tx: CompanyTx, wanted: TitleName): Promise<AtPath[]> => {
  const rows = await listTitledNotes(tx, [wanted], titledNotesMax);
  return rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]));
};

const onlyOne = ({ title }: TitleName, found: readonly AtPath[]): AtPath => {
  const note = noteOfTitle(found, title);
  if (note) {
    return note;
  }
  if (found.length === 0) {
    throw new AppError('not_found', 'The folder has no note of this title.');
  }
  const candidates = found.map(({ id, folder, title: name, revision, updatedAt, conflictOf }) => ({
    id,
    folder,
    title: name,
    revision,
    updatedAt: updatedAt.toISOString(),
    ...(conflictOf === null ? {} : { conflictOf }),
  }));
  throw new AppError('ambiguous', 'Several notes have this title; read one by its id.', {
    extensions: { candidates },
  });
};
