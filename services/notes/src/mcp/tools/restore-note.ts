import { restoreNoteContract } from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { revisionNumber } from '../argument-schemas.ts';
import { defineTool } from '../define-tool.ts';
import { findEarlier, keyHeaders, readEarlier } from '../keyed-call.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { writeHeaders, restoredOutput, writtenResult } from './written-result.ts';

export const restoreNote = defineTool({
  name: 'restore_note',
  description:
    'Bring back a deleted note, or make an old revision the newest version. note_history lists the revisions; none is lost.',
  contract: restoreNoteContract,
  effect: 'writes',
  input: z.strictObject({
    ...noteName,
    revision: revisionNumber.optional().describe('Default: as it was when it was deleted'),
  }),
  output: restoredOutput,
  aliases: nameAliases,
  run: async (session, { revision, ...name }) => {
    const sent = { ...name, revision };
    const keyed = { operation: 'restore', key: session.retryKey, sent } as const;
    const earlier = await findEarlier(session, keyed);
    if (earlier) {
      return writtenResult(await readEarlier(session, earlier));
    }
    const { id } = await findNote(session, name, { withDeleted: true });
    const restored = await session.call(restoreNoteContract, {
      params: { id },
      body: revision === undefined ? {} : { revision },
      headers: { ...writeHeaders(), ...keyHeaders(keyed) },
    });
    return writtenResult(bodyOf<typeof restoreNoteContract>(restored));
  },
});
