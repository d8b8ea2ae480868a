import { deleteNoteContract } from '@commonplace/contracts/notes';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { structured } from '../tool-result.ts';
import { writeHeaders } from './written-result.ts';

export const deleteNote = defineTool({
  name: 'delete_note',
  description: 'Delete a note at the revision that you have read. Its versions stay readable.',
  contract: deleteNoteContract,
  effect: 'destroys',
  isIdempotent: true,
  input: z.strictObject({ ...noteName, revision: z.int().min(1) }),
  output: z.object({ id: z.string(), deleted: z.boolean() }),
  aliases: nameAliases,
  run: async (session, { revision, ...name }) => {
    const { id } = await findNote(session, name);
    await session.call(deleteNoteContract, { params: { id }, headers: writeHeaders(revision) });
    return structured({ id, deleted: true });
  },
});
