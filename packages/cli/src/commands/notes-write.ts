import { randomUUID } from 'node:crypto';
import { ProblemError, type ApiClient, type Schema } from '@commonplace/client';
import { CommandFailure, UsageError } from '../errors.ts';
import { defineCommand } from '../define-command.ts';
import { exitCodes } from '../exit-codes.ts';
import { integerMax, jsonFlag, reasonFlag, wholeNumber } from '../flags.ts';
import { createNote } from '../notes/create-note.ts';
import { isProposed, reportProposed } from '../notes/proposed.ts';
import { readInput } from '../notes/read-input.ts';
import { repeat } from '../notes/repeat.ts';
import { resolveForWrite } from '../notes/resolve-for-write.ts';
import { assertNamed, isNoteId, resolveNote, splitPath } from '../notes/resolve-note.ts';
import { openApi } from '../open-api.ts';
import { printJson, printNotice } from '../print.ts';

/** `commonplace notes write`: creates a note, or replaces the content of one that was read. */
export const notesWrite = defineCommand({
  name: 'notes write',
  usage: '<note> [options]',
  about: `Creates the note folder/title. A note that exists is replaced only with the revision that was read,
so nothing is overwritten unread: \`notes read --json\` prints it. Fields without an option stay.`,
  positionals: { min: 1, max: 1 },
  flags: {
    text: {
      type: 'string',
      short: 't',
      value: '<text>',
      about: 'the content; default standard input',
      mayBeEmpty: true,
    },
    file: { type: 'string', short: 'f', value: '<file>', about: 'a file with the content' },
    revision: {
      type: 'string',
      short: 'r',
      value: '<n>',
      about: 'replace this revision of the note',
    },
    tag: { type: 'string', multiple: true, value: '<tag>', about: 'its tags; may repeat' },
    pinned: { type: 'boolean', about: 'pin the note' },
    ...reasonFlag,
    ...jsonFlag,
  },
  footer:
    'The exit code is 4 if the note exists (without --revision) or has changed since (with it).',
  run: async ({ values, positionals: [name = ''] }) => {
    assertNamed(name);
    const revision = wholeNumber('revision', values.revision, { min: 1, max: integerMax });
    if (revision === undefined && isNoteId(name)) {
      throw new UsageError(['a new note is named folder/title; an id needs --revision']);
    }
    const fields = {
      content: await readInput(values),
      ...(values.tag && { tags: values.tag }),
      ...(values.pinned && { pinned: true }),
      ...(values.reason !== undefined && { reason: values.reason }),
    };
    const api = openApi();
    const written =
      revision === undefined
        ? await create(api, name, fields)
        : await replace(api, { name, revision, fields });
    if (isProposed(written)) {
      return reportProposed(written, values);
    }
    if (values.json) {
      printJson(written);
    } else {
      printNotice(`wrote ${name}: revision ${written.revision}, id ${written.id}`);
    }
    return 0;
  },
});

type Fields = {
  readonly content: string;
  readonly tags?: string[];
  readonly pinned?: boolean;
  /** Why, where it becomes a proposal. */
  readonly reason?: string;
};

const create = async (
  api: ApiClient,
  name: string,
  fields: Fields,
): Promise<Schema<'NoteReceipt'> | Schema<'Proposed'>> => {
  try {
    const body = { ...splitPath(name), ...fields, ifTitleExists: 'fail' as const };
    return (await createNote(api, body)).data;
  } catch (error) {
    const id =
      error instanceof ProblemError && error.code === 'title_exists' && error.problem['existing'];
    if (typeof id !== 'string') {
      throw error;
    }
    const { data } = await api.get('/api/notes/{id}', { params: { path: { id } } });
    throw new CommandFailure(
      `${name} exists: read it (id ${id}), then write it with --revision ${data.revision}`,
      { exitCode: exitCodes.conflict, code: 'title_exists' },
    );
  }
};

type Replacement = { readonly name: string; readonly revision: number; readonly fields: Fields };

/** Replaces all fields, so those without an option are read first; `If-Match` covers both requests. */
const replace = async (
  api: ApiClient,
  { name, revision, fields }: Replacement,
): Promise<Schema<'NoteReceipt'> | Schema<'Proposed'>> => {
  const { data: note } = await resolveForWrite(async () => {
    const path = { id: await resolveNote(api, name) };
    return api.get('/api/notes/{id}', { params: { path } });
  });
  if (note.revision !== revision) {
    throw new CommandFailure(
      `${name} has changed: it has revision ${note.revision}, not ${revision}; read it again`,
      { exitCode: exitCodes.conflict, code: 'precondition_failed' },
    );
  }
  const { title, folder, tags, pinned, archived, properties } = note;
  const headers = {
    Prefer: 'return=minimal',
    'If-Match': `"${revision}"`,
    'Idempotency-Key': randomUUID(),
  };
  const { data } = await repeat(() =>
    api.put('/api/notes/{id}', {
      params: { path: { id: note.id } },
      headers,
      body: { title, folder, tags, pinned, archived, properties, ...fields },
    }),
  );
  return data;
};
