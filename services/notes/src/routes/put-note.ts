import { putNoteContract, splitPut } from '@commonplace/contracts/notes';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { parseEntityTags } from '../rules/precondition.ts';
import { prefersMinimal } from '../rules/prefer.ts';
import { presentWritten } from '../present/present-written.ts';
import { hasContent } from '../queries/note-rows.ts';
import { writeNote } from '../write/write-note.ts';

/** Replaces a note, or creates it. */
export const putNoteRoute = (deps: Pick<Deps, 'db' | 'write' | 'readLarge'>) =>
  defineRoute(putNoteContract, async ({ params, body, caller, company, header, stillAllowed }) => {
    const precondition = {
      ifMatch: parseEntityTags(header('If-Match')),
      ifNoneMatch: parseEntityTags(header('If-None-Match')),
    };
    const change = { rule: 'put', id: params.id, ...splitPut(body), precondition } as const;
    const { note, wasActive } = await writeNote(deps, { caller, company, stillAllowed, change });
    if (!note || !hasContent(note)) {
      throw new Error('The written note is missing');
    }
    const written = presentWritten(note, prefersMinimal(header('Prefer')));
    return wasActive
      ? reply(200, written.body, written.headers)
      : reply(201, written.body, { ...written.headers, Location: `/api/notes/${note.id}` });
  });
