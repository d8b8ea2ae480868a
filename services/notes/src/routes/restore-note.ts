import { restoreNoteContract } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { authorOf } from '../rules/author-of.ts';
import { prefersMinimal } from '../rules/prefer.ts';
import { presentWritten } from '../present/present-written.ts';
import { hasContent } from '../queries/note-rows.ts';
import { assertAccepted, singleOutcome } from '../write/write-note.ts';

/** Undeletes a note, or makes an old version the newest one. */
export const restoreNoteRoute = (deps: Pick<Deps, 'write'>) =>
  defineRoute(
    restoreNoteContract,
    async ({ params, body, caller, company, header, stillAllowed }) => {
      const change = { rule: 'restore', id: params.id, revision: body.revision ?? null } as const;
      const outcome = singleOutcome(
        await deps.write(company.id, {
          author: authorOf(caller),
          changes: [change],
          stillAllowed: async () => void (await stillAllowed()),
        }),
      );
      // Errors of a restore include no note.
      assertAccepted({ error: outcome.error, note: null });
      const { note } = outcome;
      if (!note || !hasContent(note)) {
        throw new Error('The restored note is missing');
      }
      const written = presentWritten(note, prefersMinimal(header('Prefer')));
      return reply(200, written.body, written.headers);
    },
  );
