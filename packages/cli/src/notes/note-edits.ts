import type { Schema } from '@commonplace/client';
import { UsageError } from '../errors.ts';
import { wholeNumber, type Flags } from '../flags.ts';
import { folderName } from './folder-name.ts';
import { readInput, type TextOptions } from './read-input.ts';

type Edit = Schema<'NoteEdit'>;

/** Options that change the content; a command line has at most one. */
const contentFlags = {
  find: {
    type: 'string',
    value: '<text>',
    about: 'replace this exact text, which must occur once',
  },
  with: {
    type: 'string',
    value: '<text>',
    about: 'what replaces it; default standard input',
    mayBeEmpty: true,
  },
  count: { type: 'string', value: '<n>', about: 'how often the text must occur; all are replaced' },
  section: { type: 'string', value: '<heading>', about: 'replace what is below it: Plan/Risks' },
  'append-to': { type: 'string', value: '<heading>', about: 'add lines at the end of its section' },
  'prepend-to': { type: 'string', value: '<heading>', about: 'add lines at the start of it' },
  after: { type: 'string', value: '<heading>', about: 'insert lines below this heading' },
  before: { type: 'string', value: '<heading>', about: 'insert lines above this heading' },
  prepend: { type: 'boolean', about: 'add text at the start' },
} as const satisfies Flags;

/** Options that set fields. */
const fieldFlags = {
  title: { type: 'string', value: '<title>', about: 'rename the note' },
  'update-links': {
    type: 'boolean',
    about: 'with --title: also in the links of other notes to it',
  },
  folder: {
    type: 'string',
    value: '<folder>',
    about: 'move the note; "" is the root',
    mayBeEmpty: true,
  },
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
export const noteEdits = async (values: EditValues & TextOptions): Promise<Edit[]> => {
  const fields = fieldEdits(values);
  const edits = [...(await contentEdits(values)), ...fields];
  if (edits.length === 0) {
    throw new UsageError(['nothing to edit: say what, as in --find or --title']);
  }
  return edits;
};

const places = '--find, --section, --append-to, --prepend-to, --after, --before and --prepend';

const contentEdits = async (values: EditValues & TextOptions): Promise<Edit[]> => {
  const { find, text, file } = values;
  const operations = operationsOf(values);
  const given = operations.length + (find === undefined ? 0 : 1);
  if (given > 1) {
    throw new UsageError([`only one of ${places}`]);
  }
  const count = wholeNumber('count', values.count, { min: 1, max: 524_288 });
  if (find === undefined && (values.with !== undefined || count !== undefined)) {
    throw new UsageError(['--with and --count need --find']);
  }
  const hasText = text !== undefined || file !== undefined;
  if (hasText && given === 0) {
    throw new UsageError([`--text and --file need one of ${places}`]);
  }
  if (hasText && values.with !== undefined) {
    throw new UsageError(['only one of --with, --text and --file']);
  }
  if (given === 0) {
    return [];
  }
  const added = values.with ?? (await readInput(values));
  return find === undefined
    ? operations.map((operation) => ({ ...operation, text: added }))
    : [{ op: 'replace', find, with: added, count: count ?? 1 }];
};

/** The operations that take the text, without it. */
const operationsOf = (values: EditValues) => [
  ...atHeading('replace_section', values.section),
  ...atHeading('append_to_section', values['append-to']),
  ...atHeading('prepend_to_section', values['prepend-to']),
  ...atHeading('insert_after', values.after),
  ...atHeading('insert_before', values.before),
  ...(values.prepend ? [{ op: 'prepend' as const }] : []),
];

const atHeading = <Op extends Edit['op']>(op: Op, heading: string | undefined) =>
  heading === undefined ? [] : [{ op, heading }];

const fieldEdits = (values: EditValues): Edit[] => {
  const [add, remove] = [values['add-tag'] ?? [], values['remove-tag'] ?? []];
  if (values['update-links'] && values.title === undefined) {
    throw new UsageError(['--update-links needs --title']);
  }
  const fields = {
    ...(values.title !== undefined && { title: values.title }),
    ...(values['update-links'] && { updateLinks: true }),
    ...(values.folder !== undefined && { folder: folderName(values.folder) }),
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
