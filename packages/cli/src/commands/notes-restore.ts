import { randomUUID } from 'node:crypto';
import { defineCommand } from '../define-command.ts';
import { integerMax, jsonFlag, wholeNumber } from '../flags.ts';
import { repeat } from '../notes/repeat.ts';
import { resolveForWrite } from '../notes/resolve-for-write.ts';
import { resolveWithDeleted } from '../notes/resolve-with-deleted.ts';
import { openApi } from '../open-api.ts';
import { printJson, printNotice } from '../print.ts';

/** `commonplace notes restore`: brings back a deleted note, or an earlier version. */
export const notesRestore = defineCommand({
  name: 'notes restore',
  usage: '<note> [options]',
  about: `Brings back a deleted note, or makes an earlier version the newest; no version is lost. <note> is an id,
folder/title or a title; a deleted note is meant where no other has the name.`,
  positionals: { min: 1, max: 1 },
  flags: {
    revision: {
      type: 'string',
      short: 'r',
      value: '<n>',
      about: 'this version, as `notes history` lists them',
    },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    const revision = wholeNumber('revision', values.revision, { min: 1, max: integerMax });
    const api = openApi();
    const path = { id: await resolveForWrite(() => resolveWithDeleted(api, name)) };
    const headers = { Prefer: 'return=minimal', 'Idempotency-Key': randomUUID() };
    const body = revision === undefined ? {} : { revision };
    const { data, response } = await repeat(() =>
      api.post('/api/notes/{id}/restore', { params: { path }, headers, body }),
    );
    const isRestored = response.headers.get('Note-Restored') !== 'false';
    if (values.json) {
      printJson({ ...data, restored: isRestored });
    } else if (isRestored) {
      printNotice(`restored ${name}: revision ${data.revision}`);
    } else {
      const state = revision === undefined ? 'is not deleted' : 'is as that version';
      printNotice(`${name} ${state}: nothing changed, revision ${data.revision}`);
    }
    return 0;
  },
});
