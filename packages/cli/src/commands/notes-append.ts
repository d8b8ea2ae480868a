import type { ApiClient } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { jsonFlag } from '../flags.ts';
import { createNote } from '../notes/create-note.ts';
import { editNote } from '../notes/edit-note.ts';
import { isProposed, reportProposed } from '../notes/proposed.ts';
import { assertFits, readInput } from '../notes/read-input.ts';
import { resolveForWrite } from '../notes/resolve-for-write.ts';
import { assertNamed, isNoteId, resolveNote, splitPath } from '../notes/resolve-note.ts';
import { UsageError } from '../errors.ts';
import { openApi } from '../open-api.ts';
import { printJson, printNotice } from '../print.ts';

/** `commonplace notes append`: adds text at the end of a note. */
export const notesAppend = defineCommand({
  name: 'notes append',
  usage: '<note> [options]',
  about: `Adds text at the end of a note, and a line break after it. Needs no read: many writers may append
to one note at once. <note> is an id, folder/title, or a title that only one note has.`,
  positionals: { min: 1, max: 1 },
  flags: {
    text: {
      type: 'string',
      short: 't',
      value: '<text>',
      about: 'the text; default standard input',
      mayBeEmpty: true,
    },
    file: { type: 'string', short: 'f', value: '<file>', about: 'a file with the text' },
    create: { type: 'boolean', about: 'create folder/title if there is no such note' },
    raw: { type: 'boolean', about: 'add exactly this text, without a line break at its end' },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    assertNamed(name);
    const input = await readInput(values);
    if (input === '') {
      throw new UsageError(['the text is empty']);
    }
    const text = values.raw || input.endsWith('\n') ? input : `${input}\n`;
    // Before the note is created, which would stay without the text.
    assertFits(text);
    const api = openApi();
    const id =
      (values.create && !isNoteId(name) ? await createFor(api, name) : null) ??
      (await resolveForWrite(() => resolveNote(api, name)));
    const receipt = await editNote(api, { id, edits: [{ op: 'append', text }] });
    if (isProposed(receipt)) {
      return reportProposed(receipt, values);
    }
    if (values.json) {
      printJson(receipt);
    } else {
      printNotice(`appended to ${name}: revision ${receipt.revision}`);
    }
    return 0;
  },
});

/** The note, created if there is none; of one that may only be proposed, the caller's proposal gets the text. */
const createFor = async (api: ApiClient, name: string): Promise<string> => {
  const { data } = await createNote(api, { ...splitPath(name), ifTitleExists: 'return' });
  return isProposed(data) ? data.proposal.noteId : data.id;
};
