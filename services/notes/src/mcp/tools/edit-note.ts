import { editNoteContract, noteEditsMax } from '@commonplace/contracts/notes';
import { AppError } from '@commonplace/contracts/core';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { findNote, nameAliases, noteName } from '../note-name.ts';
import { renamed } from '../read-arguments.ts';
import { writeHeaders, writtenOutput, writtenResult } from './written-result.ts';

const operations = [
  'append',
  'prepend',
  'replace',
  'insert_after',
  'insert_before',
  'replace_section',
  'set',
] as const;

/** One object for all operations: the seven schemas of the API would be half of all definitions. */
const edit = z
  .strictObject({
    op: z.enum(operations),
    text: z.string().optional(),
    find: z.string().optional().describe('replace: the exact text'),
    with: z.string().optional(),
    count: z.int().optional().describe('replace: how often find occurs, default 1'),
    heading: z.string().optional().describe('Risks, or Plan/Risks'),
    title: z.string().optional().describe('set'),
    folder: z.string().optional().describe('set'),
    pinned: z.boolean().optional().describe('set'),
    archived: z.boolean().optional().describe('set'),
    tags: z
      .strictObject({ add: z.array(z.string()).optional(), remove: z.array(z.string()).optional() })
      .optional()
      .describe('set'),
    properties: z.record(z.string(), z.unknown()).optional().describe('set: merge patch'),
  })
  .meta({});

export const editNote = defineTool({
  name: 'edit_note',
  description:
    'Edit a note in place, all edits or none; no read is needed to append. append and prepend add text exactly as given: begin or end it with a line break.',
  contract: editNoteContract,
  effect: 'destroys',
  input: z.strictObject({
    ...noteName,
    edits: z.array(edit).min(1).max(noteEditsMax),
    revision: z.int().min(1).optional().describe('Only if the note is still at it'),
    dedupeKey: z.string().min(1).max(64).optional().describe('Same key: applied once'),
  }),
  output: writtenOutput,
  aliases: { ...nameAliases, dedupe_key: 'dedupeKey', mutationId: 'dedupeKey' },
  prepare: (given) => withEdits(given),
  run: async (session, { id: givenId, path, title, edits, revision, dedupeKey }) => {
    const { id } = await findNote(session, { id: givenId, path, title });
    const mutationId = dedupeKey ?? session.retryKey ?? undefined;
    const written = await session.call(editNoteContract, {
      params: { id },
      body: { edits: edits as never, ...(mutationId === undefined ? {} : { mutationId }) },
      headers: writeHeaders(revision),
    });
    return writtenResult(bodyOf<typeof editNoteContract>(written));
  },
});

const editAliases = {
  operation: 'op',
  type: 'op',
  old_text: 'find',
  old_str: 'find',
  old_string: 'find',
  oldText: 'find',
  search: 'find',
  new_text: 'with',
  new_str: 'with',
  new_string: 'with',
  newText: 'with',
  replace: 'with',
  replacement: 'with',
  content: 'text',
  section: 'heading',
} as const;

const named = (given: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [renamed(name, given, editAliases), value]),
  );

/** Edits under their own names. A single edit may stand beside the name of the note, instead of in `edits`. */
const withEdits = (given: Record<string, unknown>): Record<string, unknown> => {
  if (Array.isArray(given['edits'])) {
    return { ...given, edits: given['edits'].map((each: unknown) => oneEdit(each)) };
  }
  const { id, path, title, revision, dedupeKey, ...rest } = given;
  const name = Object.fromEntries(
    Object.entries({ id, path, title, revision, dedupeKey }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const { append, prepend, ...others } = rest;
  const shorthand = Object.entries({ append, prepend }).find(([, text]) => text !== undefined);
  const single = shorthand ? { op: shorthand[0], text: shorthand[1], ...others } : others;
  if (Object.keys(single).length === 0) {
    throw new AppError('validation_failed', 'edits: at least one edit is needed.');
  }
  return { ...name, edits: [oneEdit(single)] };
};

/** Without an operation, an edit with `find` replaces. */
const oneEdit = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) {
    return given;
  }
  const own = named(given);
  return own['op'] === undefined && own['find'] !== undefined ? { op: 'replace', ...own } : own;
};
