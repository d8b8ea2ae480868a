import { AppError, canReadIn, type NoteId } from '@commonplace/contracts/core';
import { getNoteByPathContract } from '@commonplace/contracts/notes';
import { inIndexOrder, read } from '@commonplace/db';
import { defineRoute, matchesEtag, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { noteReplyHeaders, presentNote } from '../present/present-note.ts';
import { listTitledNotes, type TitledNote, type TitleName } from '../queries/titles.ts';
import { readActiveNote } from '../read/read-whole-note.ts';
import { namedTagOf } from '../rules/precondition.ts';

const candidatesMax = 20;

/** Reads the one note of a title in a folder. */
export const getNoteByPathRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getNoteByPathContract, async ({ query, company, header, work }) => {
    if (!canReadIn(company.grants, query.folder)) {
      throw new AppError('folder_not_granted');
    }
    const rows = await read(db, inIndexOrder(company.reach), (tx) =>
      listTitledNotes(tx, [query], candidatesMax),
    );
    const { id, revision } = onlyOne(query, rows);
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

/** The note of exactly this title, else the only one that differs in letter case. */
const onlyOne = (
  { title }: TitleName,
  rows: readonly TitledNote[],
): { readonly id: NoteId; readonly revision: number } => {
  const found = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]));
  const exact = found.filter((row) => row.title === title);
  const [note, ...others] = exact.length === 1 ? exact : found;
  if (!note) {
    throw new AppError('not_found', 'The folder has no note of this title.');
  }
  if (others.length > 0) {
    const candidates = found.map(({ id, folder, title: name, revision, updatedAt }) => ({
      id,
      folder,
      title: name,
      revision,
      updatedAt: updatedAt.toISOString(),
    }));
    throw new AppError('ambiguous', 'Several notes have this title; read one by its id.', {
      extensions: { candidates },
    });
  }
  return note;
};
