import type { ApiClient } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { jsonFlag, reasonFlag } from '../flags.ts';
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
    ...reasonFlag,
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
    const { reason } = values;
    const appended = { name, text, reason };
    const created = values.create && !isNoteId(name) ? await createWith(api, appended) : null;
    const receipt = created?.written ?? (await appendTo(api, { ...appended, id: created?.id }));
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

type Appended = {
  readonly name: string;
  readonly text: string;
  /** Why, where it becomes a proposal. */
  readonly reason: string | undefined;
};

/** Without an id, that of the name. */
type AppendedTo = Appended & { readonly id: string | undefined };

const appendTo = async (api: ApiClient, { name, id, text, reason }: AppendedTo) =>
  editNote(api, {
    id: id ?? (await resolveForWrite(() => resolveNote(api, name))),
    edits: [{ op: 'append', text }],
    ...(reason !== undefined && { reason }),
  });

/**
 * Creates the note with the text; `written` is null if there is one already, which gets the text by its id. Of a note that may
 * only be proposed, the open proposal of the caller counts as the note.
 */
const createWith = async (api: ApiClient, { name, text, reason }: Appended) => {
  const { data, response } = await createNote(api, {
    ...splitPath(name),
    content: text,
    ...(reason !== undefined && { reason }),
    ifTitleExists: 'return',
  });
  if (isProposed(data)) {
    return { id: data.proposal.noteId, written: data.existing ? null : data };
  }
  return { id: data.id, written: response.status === 201 ? data : null };
};
