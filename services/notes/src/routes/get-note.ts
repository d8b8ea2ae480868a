import { AppError } from '@commonplace/contracts/core';
import { getNoteContract } from '@commonplace/contracts/notes';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { matchesEtag } from '../rules/matches-etag.ts';
import { noteReplyHeaders, presentNote } from '../present/present-note.ts';
import { findNote } from '../queries/notes.ts';

/** Reads one note. */
export const getNoteRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getNoteContract, async ({ params, company, header }) => {
    const note = await lookUpInCompany(db, company.id, (tx) => findNote(tx, params.id));
    if (!note) {
      throw new AppError('not_found', 'No such note.');
    }
    if (note.deletedAt !== null) {
      throw new AppError('note_deleted', 'The note was deleted; its revisions are still there.');
    }
    const headers = noteReplyHeaders(note);
    return matchesEtag(header('If-None-Match'), headers.ETag)
      ? { status: 304 as const, headers }
      : reply(200, presentNote(note), headers);
  });
