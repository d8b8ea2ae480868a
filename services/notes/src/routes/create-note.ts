import { newId, noteId } from '@commonplace/contracts/core';
import { createNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, prefersMinimal, reply } from '@commonplace/http';
import { requestKey } from '../rules/request-key.ts';
import { presentWritten } from '../present/present-written.ts';
import { proposedReply, type ProposingDeps } from '../proposals/proposed-reply.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { assertAccepted, singleOutcome, writerOf } from '../write/write-note.ts';

/** Creates a note, unless the folder has one of its title and the client wants no second one. */
export const createNoteRoute = (deps: ProposingDeps) =>
  defineRoute(createNoteContract, async ({ body, caller, company, header, work }) => {
    const { ifTitleExists, reason, ...fields } = body;
    const change = {
      rule: 'create',
      id: noteId.parse(newId()),
      fields,
      ifTitleExists,
      mutation: requestKey({ caller, header }, 'create'),
    } as const;
    const outcome = singleOutcome(
      await deps.writeNotes(company.id, {
        ...writerOf({ caller, company, work }),
        changes: [change],
        reason,
      }),
    );
    // Errors of a creation include no note.
    assertAccepted({ error: outcome.error, note: null });
    if (outcome.proposal) {
      const { id } = outcome.proposal;
      const existing = outcome.isProposedAlready === true;
      return proposedReply(deps, { caller, company }, { id, existing });
    }
    const id = outcome.noteId ?? change.id;
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    return outcome.status === 'unchanged'
      ? reply(200, written.body, written.headers)
      : reply(201, written.body, { ...written.headers, Location: `/api/notes/${id}` });
  });
