import { editNoteContract, noteEdit, noteEditsMax } from '@commonplace/contracts/notes';
import { plainText } from '@commonplace/contracts/core';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { revisionNumber } from '../argument-schemas.ts';
import { assertNoteRead } from '../assert-note-read.ts';
import { defineTool } from '../define-tool.ts';
import { singleEditNames, withEdits } from '../edit-arguments.ts';
import { describeChanges, editedOutput, linksLostBy } from '../edited-result.ts';
import { findEarlier, keyHeaders } from '../keyed-call.ts';
import { nameAliases, noteName } from '../note-name.ts';
import { findEditedNote } from '../find-edited-note.ts';
import { proposalArguments } from './proposal-arguments.ts';
import { earlierResult, proposedResult, writeHeaders, writtenResult } from './written-result.ts';

const operations = [
  'append',
  'prepend',
  'replace',
  'insert_after',
  'insert_before',
  'replace_section',
  'append_to_section',
  'prepend_to_section',
  'set',
] as const;

/** One object for all operations, as it is listed: the seven schemas of the API would be half of all definitions. */
const listedEdit = z.strictObject({
  op: z.enum(operations),
  text: z.string().optional(),
  find: z.string().optional().describe('replace: the exact text'),
  with: z.string().optional(),
  count: z.int().optional().describe('replace: how often find occurs, default 1'),
  heading: z.string().optional().describe('Risks, or Plan/Risks'),
  title: z.string().optional().describe('set'),
  updateLinks: z.boolean().optional().describe('set title: also in the links to it'),
  folder: z.string().optional().describe('set'),
  pinned: z.boolean().optional().describe('set'),
  archived: z.boolean().optional().describe('set'),
  tags: z
    .strictObject({ add: z.array(z.string()).optional(), remove: z.array(z.string()).optional() })
    .optional()
    .describe('set'),
  properties: z.record(z.string(), z.unknown()).optional().describe('set: merge patch'),
});

const others = {
  ...noteName,
  revision: revisionNumber.optional().describe('Only if the note is still at it'),
  sinceRevision: revisionNumber.optional().describe('The one you read: says what changed since'),
  dedupeKey: plainText(1, 64).optional().describe('Same key: applied once'),
};

export const editNote = defineTool({
  name: 'edit_note',
  description:
    'Edit a note in place, all edits or none; no read is needed to append. append and prepend add text exactly as given; append_to_section and insert_… add lines. Says which lines changed.',
  contract: editNoteContract,
  effect: 'destroys',
  input: z.strictObject({
    ...others,
    ...proposalArguments,
    edits: z.array(noteEdit).min(1).max(noteEditsMax),
  }),
  listed: z.strictObject({ ...others, edits: z.array(listedEdit) }),
  listedForProposals: proposalArguments,
  output: editedOutput,
  aliases: {
    ...nameAliases,
    dedupe_key: 'dedupeKey',
    mutationId: 'dedupeKey',
    since_revision: 'sinceRevision',
  },
  others: singleEditNames,
  prepare: withEdits,
  run: async (session, { id: givenId, path, title, edits, ...options }) => {
    const name = { id: givenId, path, title };
    const keyed = {
      operation: 'edit',
      key: options.dedupeKey ?? session.retryKey,
      sent: { ...name, edits },
    } as const;
    // An id names the same note in every attempt: the write itself knows whether it was made.
    const earlier = givenId === undefined ? await findEarlier(session, keyed) : null;
    if (earlier) {
      return earlierResult(session, earlier);
    }
    const found = await findEditedNote(session, name);
    await assertNoteRead(session, found, options.revision);
    const { id } = found;
    const linkedFrom = await linksLostBy(session, id, edits);
    const written = await session.call(editNoteContract, {
      params: { id },
      body: {
        edits,
        showChanges: true,
        sinceRevision: options.sinceRevision,
        reason: options.reason,
        ...(keyed.key === null ? {} : { mutationId: keyed.key }),
      },
      headers: { ...writeHeaders(options.revision), ...keyHeaders(keyed) },
    });
    const edited = bodyOf<typeof editNoteContract>(written);
    if ('proposal' in edited) {
      return proposedResult(id, edited.proposal.id);
    }
    return writtenResult(edited, { ...(await describeChanges(session, edited)), ...linkedFrom });
  },
});
