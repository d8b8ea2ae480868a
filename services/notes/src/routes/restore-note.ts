import { restoreNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, parseEntityTags, prefersMinimal, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentWritten } from '../present/present-written.ts';
import { requestKey } from '../rules/request-key.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { writeNote } from '../write/write-note.ts';

/** Undeletes a note, or makes an old version the newest one. */
export const restoreNoteRoute = (deps: Pick<Deps, 'db' | 'writeNotes'>) =>
  defineRoute(restoreNoteContract, async ({ params, body, caller, company, header, work }) => {
    const { id } = params;
    const mutation = requestKey({ caller, header }, 'restore');
    const precondition = { ifMatch: parseEntityTags(header('If-Match')), ifNoneMatch: null };
    const revision = body.revision ?? null;
    const change = { rule: 'restore', id, revision, precondition, mutation } as const;
    const outcome = await writeNote(deps, { caller, company, work, change });
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    const isRestored = outcome.status !== 'unchanged';
    return reply(200, written.body, { ...written.headers, 'Note-Restored': `${isRestored}` });
  });
