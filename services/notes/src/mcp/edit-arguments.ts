import { AppError } from '@commonplace/contracts/core';
import { renamed, withTypes } from './read-arguments.ts';

/** The arguments of an edit. */
const editNames = [
  'op',
  'text',
  'find',
  'with',
  'count',
  'heading',
  'updateLinks',
  'folder',
  'pinned',
  'archived',
  'tags',
  'properties',
] as const;

/** Names that models use for them. */
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

/** Edits that may stand alone, with their text. */
const shorthands = ['append', 'prepend'] as const;

/** What a call may have instead of `edits`. */
export const singleEditNames: readonly string[] = [
  ...editNames,
  ...shorthands,
  ...Object.keys(editAliases),
];

type Given = Readonly<Record<string, unknown>>;

/**
 * The arguments of a call with its edits under their own names. A single edit, or a text to append and one to prepend,
 * may stand beside the name of the note, instead of in `edits`.
 */
export const withEdits = (given: Given): Record<string, unknown> => {
  if (given['edits'] !== undefined) {
    const { edits, ...rest } = given;
    return { ...rest, edits: Array.isArray(edits) ? edits.map(oneEdit) : edits };
  }
  const { append, prepend, ...others } = given;
  const { name, edit } = splitName(others);
  const texts = Object.entries({ append, prepend }).filter(([, text]) => text !== undefined);
  if (texts.length > 0) {
    // What stands beside them is reported as not allowed.
    return { ...name, ...edit, edits: texts.map(([op, text]) => ({ op, text })) };
  }
  if (Object.keys(edit).length === 0) {
    throw new AppError('validation_failed', 'edits: at least one edit is needed.');
  }
  return { ...name, edits: [oneEdit(edit)] };
};

/** A title beside the id or path of a note is a title to set: the note has a name already. */
const splitName = ({ id, path, title, revision, sinceRevision, dedupeKey, ...rest }: Given) => {
  const isNewTitle = operationOf(rest) === 'set' && (id ?? path) !== undefined;
  const name = { id, path, revision, sinceRevision, dedupeKey, ...(isNewTitle ? {} : { title }) };
  const edit = isNewTitle ? { ...rest, title } : rest;
  return { name: withoutAbsent(name), edit: withoutAbsent(edit) };
};

const operationOf = (edit: Given): unknown => edit['op'] ?? edit['operation'] ?? edit['type'];

const withoutAbsent = (members: Given): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Without an operation, an edit with `find` replaces. */
const oneEdit = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return given;
  }
  const own = renamed(given, { aliases: editAliases, known: [...editNames, 'title'] });
  const typed = withTypes(own, editTypes);
  return typed['op'] === undefined && typed['find'] !== undefined
    ? { op: 'replace', ...typed }
    : typed;
};

/** Arguments that some clients send as text. */
const editTypes = {
  count: { type: 'integer' },
  updateLinks: { type: 'boolean' },
  pinned: { type: 'boolean' },
  archived: { type: 'boolean' },
} as const;
