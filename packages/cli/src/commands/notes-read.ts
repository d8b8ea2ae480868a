import type { Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { integerMax, jsonFlag, wholeNumber } from '../flags.ts';
import { resolveNote } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { printContent, printJson, printNotice } from '../print.ts';

const windowBytesMax = 512 * 1024;

/** `commonplace notes read`: prints the content of a note. */
export const notesRead = defineCommand({
  name: 'notes read',
  usage: '<note> [options]',
  about: `Prints the content of a note. <note> is an id, folder/title, or a title that only one note has.
With --json: all fields, with the revision that \`notes write --revision\` takes.`,
  positionals: { min: 1, max: 1 },
  flags: {
    from: { type: 'string', value: '<byte>', about: 'begin at this byte of the content' },
    'max-bytes': { type: 'string', value: '<n>', about: 'print at most this many bytes' },
    revision: {
      type: 'string',
      short: 'r',
      value: '<n>',
      about: 'print this version, as `notes history` lists them',
    },
    ...jsonFlag,
  },
  run: async ({ values, positionals: [name = ''] }) => {
    const from = wholeNumber('from', values.from, { min: 0, max: integerMax });
    const maxBytes = wholeNumber('max-bytes', values['max-bytes'], { min: 1, max: windowBytesMax });
    const revision = wholeNumber('revision', values.revision, { min: 1, max: integerMax });
    const api = openApi();
    if (revision !== undefined) {
      if (from !== undefined || maxBytes !== undefined) {
        throw new UsageError([
          '--revision prints all of a version, without --from and --max-bytes',
        ]);
      }
      const path = { id: await resolveNote(api, name), revision };
      const { data } = await api.get('/api/notes/{id}/revisions/{revision}', { params: { path } });
      printVersion(data, values.json === true);
      return 0;
    }
    const { data: note } = await api.get('/api/notes/{id}', {
      params: {
        path: { id: await resolveNote(api, name) },
        query: { ...(from !== undefined && { from }), ...(maxBytes !== undefined && { maxBytes }) },
      },
    });
    if (values.json) {
      printJson(note);
      return 0;
    }
    printContent(note.content);
    if (note.window?.truncated) {
      const { from: start, to, size } = note.window;
      printNotice(`bytes ${start} to ${to} of ${size}; the rest begins with --from ${to}`);
    }
    return 0;
  },
});

const printVersion = (version: Schema<'NoteRevision'>, isJson: boolean): void => {
  if (isJson) {
    printJson(version);
  } else {
    printContent(version.content);
  }
};
