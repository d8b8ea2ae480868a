import { restoreNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, prefersMinimal, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentWritten } from '../present/present-written.ts';
import { requestKey } from '../rules/request-key.ts';
import { readWrittenNote } from '../read/read-written-note.ts';
import { assertAccepted, singleOutcome, writerOf } from '../write/write-note.ts';

/** Undeletes a note, or makes an old version the newest one. */
export const restoreNoteRoute = (deps: Pick<Deps, 'db' | 'writeNotes'>) =>
  defineRoute(restoreNoteContract, async ({ params, body, caller, company, header, work }) => {
    const { id } = params;
    const mutation = requestKey({ caller, header }, 'restore');
    const change = { rule: 'restore', id, revision: body.revision ?? null, mutation } as const;
    const outcome = singleOutcome(
      await deps.writeNotes(company.id, {
        ...writerOf({ caller, company, work }),
        changes: [change],
      }),
    );
    // Errors of a restore include no note.
    assertAccepted({ error: outcome.error, note: null });
    const note = await readWrittenNote({ ...deps, work }, company.reach, { id, outcome });
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    const isRestored = outcome.status !== 'unchanged';
    return reply(200, written.body, { ...written.headers, 'Note-Restored': `${isRestored}` });
  });
