import type { Schema } from '@commonplace/client';
import { UsageError } from '../errors.ts';
import { wholeNumber, type Flags } from '../flags.ts';

type Edit = Schema<'NoteEdit'>;

/** Options that change the content; a command line has at most one. */
const contentFlags = {
  find: {
    type: 'string',
    value: '<text>',
    about: 'replace this exact text, which must occur once',
  },
  with: { type: 'string', value: '<text>', about: 'what replaces it; default standard input' },
  count: { type: 'string', value: '<n>', about: 'how often the text must occur; all are replaced' },
  section: { type: 'string', value: '<heading>', about: 'replace what is below it: Plan/Risks' },
  after: { type: 'string', value: '<heading>', about: 'insert lines below this heading' },
  before: { type: 'string', value: '<heading>', about: 'insert lines above this heading' },
  prepend: { type: 'boolean', about: 'add text at the start' },
} as const satisfies Flags;

/** Options that set fields. */
const fieldFlags = {
  title: { type: 'string', value: '<title>', about: 'rename the note' },
  folder: { type: 'string', value: '<folder>', about: 'move the note; "" is the root' },
  pin: { type: 'string', value: 'yes|no', choices: ['yes', 'no'], about: 'pin the note, or not' },
  archive: { type: 'string', value: 'yes|no', choices: ['yes', 'no'], about: 'archive it, or not' },
  'add-tag': { type: 'string', multiple: true, value: '<tag>', about: 'add a tag; may repeat' },
  'remove-tag': {
    type: 'string',
    multiple: true,
    value: '<tag>',
    about: 'remove a tag; may repeat',
  },
} as const satisfies Flags;

/** The options that are edits. */
export const editFlags = { ...contentFlags, ...fieldFlags } as const;

/** The values of the options that are edits. */
export type EditValues = {
  readonly [Name in keyof typeof editFlags]?: (typeof editFlags)[Name] extends {
    readonly multiple: true;
  }
    ? string[] | undefined
    : (typeof editFlags)[Name] extends { readonly type: 'boolean' }
      ? boolean | undefined
      : string | undefined;
};

/** Returns the edits of a command line, in the order in which they are applied. Throws a UsageError. */
export const noteEdits = async (
  values: EditValues,
  readText: () => Promise<string>,
): Promise<Edit[]> => {
  const edits = [...(await contentEdits(values, readText)), ...fieldEdits(values)];
  if (edits.length === 0) {
    throw new UsageError(['nothing to edit: say what, as in --find or --title']);
  }
  return edits;
};

const contentEdits = async (
  values: EditValues,
  readText: () => Promise<string>,
): Promise<Edit[]> => {
  const { find, section, after, before, prepend } = values;
  const given = [find, section, after, before, prepend].filter((value) => value !== undefined);
  if (given.length > 1) {
    throw new UsageError(['only one of --find, --section, --after, --before and --prepend']);
  }
  const count = wholeNumber('count', values.count, { min: 1, max: 524_288 });
  if (find === undefined && (values.with !== undefined || count !== undefined)) {
    throw new UsageError(['--with and --count need --find']);
  }
  if (given.length === 0) {
    return [];
  }
  const text = values.with ?? (await readText());
  if (find !== undefined) {
    return [{ op: 'replace', find, with: text, count: count ?? 1 }];
  }
  if (section !== undefined) {
    return [{ op: 'replace_section', heading: section, text }];
  }
  if (after !== undefined) {
    return [{ op: 'insert_after', heading: after, text }];
  }
  return before === undefined
    ? [{ op: 'prepend', text }]
    : [{ op: 'insert_before', heading: before, text }];
};

const fieldEdits = (values: EditValues): Edit[] => {
  const [add, remove] = [values['add-tag'] ?? [], values['remove-tag'] ?? []];
  const fields = {
    ...(values.title !== undefined && { title: values.title }),
    ...(values.folder !== undefined && { folder: values.folder }),
    ...(values.pin !== undefined && { pinned: isYes('pin', values.pin) }),
    ...(values.archive !== undefined && { archived: isYes('archive', values.archive) }),
    ...(add.length + remove.length > 0 && { tags: { add, remove } }),
  };
  return Object.keys(fields).length > 0 ? [{ op: 'set', ...fields }] : [];
};

const isYes = (name: string, value: string): boolean => {
  if (value !== 'yes' && value !== 'no') {
    throw new UsageError([`--${name} must be yes or no`]);
  }
  return value === 'yes';
};
