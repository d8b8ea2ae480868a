import { editNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { mutationKey } from '../rules/mutation-key.ts';
import { keyWith } from '../rules/request-key.ts';
import { parseEntityTags } from '../rules/precondition.ts';
import { prefersMinimal } from '../rules/prefer.ts';
import { presentWritten } from '../present/present-written.ts';
import { readWrittenNote } from '../write/read-written-note.ts';
import { writeNote } from '../write/write-note.ts';

/** Edits the present note, on the server. */
export const editNoteRoute = (deps: Pick<Deps, 'db' | 'write' | 'readLarge'>) =>
  defineRoute(editNoteContract, async ({ params, body, caller, company, header, stillAllowed }) => {
    const { id } = params;
    const mutation =
      body.mutationId === undefined
        ? null
        : keyWith(mutationKey(caller, `edit:${body.mutationId}`), header);
    const precondition = { ifMatch: parseEntityTags(header('If-Match')), ifNoneMatch: null };
    const change = { rule: 'edit', id, edits: body.edits, precondition, mutation } as const;
    const outcome = await writeNote(deps, { caller, company, stillAllowed, change });
    const note = await readWrittenNote(deps, company.id, { id, outcome });
    const { body: written, headers } = presentWritten(note, prefersMinimal(header('Prefer')));
    return reply(200, written, headers);
  });
