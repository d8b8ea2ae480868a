import { getNoteContract, type ReadNote } from '@commonplace/contracts/notes';
import { lookup } from '@commonplace/db';
import { defineRoute, matchesEtag, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { largeNoteBytes } from '../limits/work-limits.ts';
import { contentWindow, type WindowRequest } from '../rules/content-window.ts';
import { noteReplyHeaders, presentNote, presentNoteWindow } from '../present/present-note.ts';
import { findNoteUpTo } from '../queries/notes.ts';
import { hasContent, type NoteRow } from '../queries/note-rows.ts';
import { assertActive } from '../rules/note-state.ts';
import { readWholeNote } from '../read/read-whole-note.ts';

/** Reads one note, or a window of it. The content of a large one is read separately, within the limits for large reads. */
export const getNoteRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getNoteContract, async ({ params, query, company, header, work }) => {
    const seen = assertActive(
      await lookup(db, company.reach, (tx) => findNoteUpTo(tx, params.id, largeNoteBytes)),
    );
    const headers = noteReplyHeaders(seen);
    if (matchesEtag(header('If-None-Match'), headers.ETag)) {
      return { status: 304 as const, headers };
    }
    if (hasContent(seen)) {
      return reply(200, presentRead(seen, query), headers);
    }
    const note = assertActive(await readWholeNote({ db, reader: work }, company.reach, seen));
    return reply(200, presentRead(note, query), noteReplyHeaders(note));
  });

/** The whole note, or the requested window of it. */
const presentRead = (note: NoteRow, request: WindowRequest): ReadNote =>
  request.from === undefined && request.maxBytes === undefined
    ? presentNote(note)
    : presentNoteWindow(note, contentWindow(note.content, request));
