import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { parseFlags, type Flags } from '../flags.ts';

/** The options of `commonplace sync`. */
export type SyncCommandOptions = {
  /** The folder, as an absolute path. */
  readonly root: string;
  readonly isWatching: boolean;
  readonly inBackground: boolean;
  readonly isDryRun: boolean;
  readonly mayDelete: boolean;
  readonly mayDeleteMany: boolean;
  /** Print summaries as JSON. */
  readonly isJson: boolean;
};

/** Its options as arguments. */
export const syncFlags = {
  watch: {
    type: 'boolean',
    short: 'w',
    about: 'keep running, and synchronise whenever a file or a note changes',
  },
  delete: { type: 'boolean', about: 'delete the notes of deleted files; else these are restored' },
  'delete-many': {
    type: 'boolean',
    about: 'the same, also of most files at once (docs/sync.md)',
  },
  background: { type: 'boolean', about: 'send more than 500 changes as background jobs' },
  'dry-run': { type: 'boolean', about: 'only print what would be sent, deleted and restored' },
  json: { type: 'boolean', about: 'print the summary as JSON; with --watch one per line' },
  help: { type: 'boolean', short: 'h', about: 'print this text' },
} as const satisfies Flags;

/** Parses the arguments of `sync`. Throws a UsageError. */
export const parseSyncOptions = (args: readonly string[]): SyncCommandOptions => {
  const { values, positionals } = parseFlags(syncFlags, args, { min: 0, max: Infinity });
  const [folder, ...more] = positionals;
  const problems = [
    ...(folder ? [] : ['no folder: name the folder to synchronise; . is the current one']),
    ...(more.length > 0 ? [`only one folder is allowed: unexpected ${more.join(', ')}`] : []),
    ...(values.watch && values['dry-run'] ? ['--watch and --dry-run cannot be combined'] : []),
  ];
  if (!folder || problems.length > 0) {
    throw new UsageError(problems);
  }
  return {
    root: resolve(folder),
    isWatching: values.watch ?? false,
    inBackground: values.background ?? false,
    isDryRun: values['dry-run'] ?? false,
    mayDelete: (values.delete ?? false) || (values['delete-many'] ?? false),
    mayDeleteMany: values['delete-many'] ?? false,
    isJson: values.json ?? false,
  };
};
