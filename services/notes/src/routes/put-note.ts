import { putNoteContract, splitPut } from '@commonplace/contracts/notes';
import { defineRoute, parseEntityTags, prefersMinimal, reply } from '@commonplace/http';
import { requestKey } from '../rules/request-key.ts';
import { presentWritten } from '../present/present-written.ts';
import { proposedReply, type ProposingDeps } from '../proposals/proposed-reply.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { writeNote } from '../write/write-note.ts';

/** Replaces a note, or creates it. */
export const putNoteRoute = (deps: ProposingDeps) =>
  defineRoute(putNoteContract, async ({ params, body, caller, company, header, work }) => {
    const precondition = {
      ifMatch: parseEntityTags(header('If-Match')),
      ifNoneMatch: parseEntityTags(header('If-None-Match')),
    };
    const { id } = params;
    const mutation = requestKey({ caller, header }, 'put');
    const change = { rule: 'put', id, ...splitPut(body), precondition, mutation } as const;
    const { reason } = body;
    const outcome = await writeNote(deps, { caller, company, work, change, reason });
    if (outcome.proposal) {
      return proposedReply(deps, { caller, company }, outcome.proposal);
    }
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    // A replay says what the first response said: the first version was created.
    const wasReplaced = outcome.isReplay
      ? outcome.status !== 'restored' && note.revision > 1
      : outcome.wasActive;
    return wasReplaced
      ? reply(200, written.body, written.headers)
      : reply(201, written.body, { ...written.headers, Location: `/api/notes/${note.id}` });
  });
