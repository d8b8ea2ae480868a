import { randomUUID } from 'node:crypto';
import { defineCommand } from '../define-command.ts';
import { integerMax, jsonFlag, wholeNumber } from '../flags.ts';
import { repeat } from '../notes/repeat.ts';
import { resolveForWrite } from '../notes/resolve-for-write.ts';
import { resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { printJson, printNotice } from '../print.ts';

/** `commonplace notes delete`: deletes a note, which can be restored. */
export const notesDelete = defineCommand({
  name: 'notes delete',
  usage: '<note> [options]',
  about: `Deletes a note. Its versions stay, and \`notes restore\` brings it back. <note> is an id, folder/title, or a
title that only one note has.`,
  positionals: { min: 1, max: 1 },
  flags: {
    revision: { type: 'string', short: 'r', value: '<n>', about: 'only if the note has it' },
    ...jsonFlag,
  },
  footer: 'The exit code is 4 if the note has changed since --revision.',
  run: async ({ values, positionals: [name = ''] }) => {
    const revision = wholeNumber('revision', values.revision, { min: 1, max: integerMax });
    const api = openApi();
    const id = await resolveForWrite(() => resolveNote(api, name));
    const headers = {
      'Idempotency-Key': randomUUID(),
      ...(revision === undefined ? {} : { 'If-Match': `"${revision}"` }),
    };
    await repeat(() => api.delete('/api/notes/{id}', { params: { path: { id } }, headers }));
    if (values.json) {
      printJson({ id, deleted: true });
    } else {
      printNotice(`deleted ${name}: \`commonplace notes restore ${id}\` brings it back`);
    }
    return 0;
  },
});
