import { deleteNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, parseEntityTags, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { requestKey } from '../rules/request-key.ts';
import { writeNote } from '../write/write-note.ts';

/** Turns a note into a tombstone. */
export const deleteNoteRoute = (deps: Pick<Deps, 'db' | 'writeNotes'>) =>
  defineRoute(deleteNoteContract, async ({ params, caller, company, header, work }) => {
    const precondition = { ifMatch: parseEntityTags(header('If-Match')), ifNoneMatch: null };
    const mutation = requestKey({ caller, header }, 'delete');
    const change = { rule: 'delete', id: params.id, precondition, mutation } as const;
    await writeNote(deps, { caller, company, work, change });
    return reply(204);
  });
