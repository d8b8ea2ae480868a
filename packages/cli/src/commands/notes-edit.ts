import { defineCommand } from '../define-command.ts';
import { integerMax, jsonFlag, reasonFlag, wholeNumber } from '../flags.ts';
import { editNote } from '../notes/edit-note.ts';
import { describeChanges } from '../notes/describe-changes.ts';
import { editFlags, noteEdits } from '../notes/note-edits.ts';
import { isProposed, reportProposed } from '../notes/proposed.ts';
import { resolveForWrite } from '../notes/resolve-for-write.ts';
import { resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { printJson, printNotice } from '../print.ts';

const revisions = { min: 1, max: integerMax };

/** `commonplace notes edit`: changes a part of a note, or its fields. */
export const notesEdit = defineCommand({
  name: 'notes edit',
  usage: '<note> [options]',
  about: `Changes a part of a note on the server, or its fields. All of it or nothing.
The exit code is 4 if the edit does not fit the note, or the note has changed.`,
  positionals: { min: 1, max: 1 },
  flags: {
    ...editFlags,
    text: {
      type: 'string',
      short: 't',
      value: '<text>',
      about: 'the text; default standard input',
      mayBeEmpty: true,
    },
    file: { type: 'string', short: 'f', value: '<file>', about: 'a file with the text' },
    revision: { type: 'string', short: 'r', value: '<n>', about: 'only if the note has it' },
    'show-changes': { type: 'boolean', about: 'say which lines changed' },
    'since-revision': {
      type: 'string',
      value: '<n>',
      about: 'the one you read: say what others changed since',
    },
    ...reasonFlag,
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    const revision = wholeNumber('revision', values.revision, revisions);
    const sinceRevision = wholeNumber('since-revision', values['since-revision'], revisions);
    const edits = await noteEdits(values);
    const api = openApi();
    const id = await resolveForWrite(() => resolveNote(api, name));
    const receipt = await editNote(api, {
      id,
      edits,
      revision,
      ...(values.reason !== undefined && { reason: values.reason }),
      ...(values['show-changes'] && { showChanges: true }),
      ...(sinceRevision !== undefined && { sinceRevision }),
    });
    if (isProposed(receipt)) {
      return reportProposed(receipt, values);
    }
    if (values.json) {
      printJson(receipt);
    } else {
      printNotice(`edited ${name}: revision ${receipt.revision}`);
      describeChanges(receipt.changed).forEach(printNotice);
    }
    return 0;
  },
});
