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
    'Bring back a deleted note, or make an old revision the newest one. note_history lists them; none is lost.',
  contract: restoreNoteContract,
  effect: 'writes',
  input: z.strictObject({
    ...noteName,
    revision: revisionNumber.optional().describe('Default: as when it was deleted'),
  }),
  output: restoredOutput,
  aliases: nameAliases,
  run: async (session, { revision, ...name }) => {
    const sent = { ...name, revision };
    const keyed = { operation: 'restore', key: session.retryKey, sent } as const;
    const earlier = await findEarlier(session, keyed);
    if (earlier) {
      const isRestored = !earlier.isUnchanged;
      return writtenResult(await readEarlier(session, earlier), { restored: isRestored });
    }
    const { id } = await findNote(session, name, { withDeleted: true });
    const response = await session.call(restoreNoteContract, {
      params: { id },
      body: revision === undefined ? {} : { revision },
      headers: { ...writeHeaders(), ...keyHeaders(keyed) },
    });
    const isRestored = response.headers?.['Note-Restored'] === 'true';
    return writtenResult(bodyOf<typeof restoreNoteContract>(response), { restored: isRestored });
  },
});
