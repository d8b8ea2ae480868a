import { resolveConflictContract } from '@commonplace/contracts/notes';
import { defineRoute, parseEntityTags, prefersMinimal, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentWritten } from '../present/present-written.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { writeNote } from '../write/write-note.ts';

/** Changes a note and deletes its conflict copy, in one transaction. */
export const resolveConflictRoute = (deps: Pick<Deps, 'db' | 'writeNotes'>) =>
  defineRoute(resolveConflictContract, async ({ params, body, caller, company, header, work }) => {
    const { id, copyId } = params;
    const precondition = { ifMatch: parseEntityTags(header('If-Match')), ifNoneMatch: null };
    const change = { rule: 'resolve', id, copyId, resolution: body, precondition } as const;
    const outcome = await writeNote(deps, { caller, company, work, change });
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    return reply(200, written.body, written.headers);
  });
