import { deleteNoteContract } from '@commonplace/contracts/notes';
import { z } from 'zod';
import { revisionNumber } from '../argument-schemas.ts';
import { assertNoteRead } from '../assert-note-read.ts';
import { defineTool } from '../define-tool.ts';
import { findEarlier, keyHeaders } from '../keyed-call.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { structured } from '../tool-result.ts';
import { writeHeaders } from './written-result.ts';

export const deleteNote = defineTool({
  name: 'delete_note',
  description: 'Delete a note at the revision that you have read. Its versions stay readable.',
  contract: deleteNoteContract,
  effect: 'destroys',
  isIdempotent: true,
  input: z.strictObject({ ...noteName, revision: revisionNumber }),
  output: z.object({ id: z.string(), deleted: z.boolean() }),
  aliases: nameAliases,
  run: async (session, { revision, ...name }) => {
    const keyed = { operation: 'delete', key: session.retryKey, sent: name } as const;
    const earlier = await findEarlier(session, keyed);
    if (earlier) {
      return structured({ id: earlier.id, deleted: true });
    }
    const found = await findNote(session, name);
    await assertNoteRead(session, found, revision);
    const { id } = found;
    await session.call(deleteNoteContract, {
      params: { id },
      headers: { ...writeHeaders(revision), ...keyHeaders(keyed) },
    });
    return structured({ id, deleted: true });
  },
});
