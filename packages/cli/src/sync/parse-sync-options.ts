import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';
import { describeError } from '../describe-error.ts';

/** The options of `commonplace sync`. */
export type SyncCommandOptions = {
  /** The folder, as an absolute path. */
  readonly root: string;
  readonly isWatching: boolean;
  readonly inBackground: boolean;
  readonly isDryRun: boolean;
  readonly mayDelete: boolean;
  readonly mayDeleteMany: boolean;
};

/** Parses the arguments of `sync`. Returns 'help' for `--help`; throws a UsageError. */
export const parseSyncOptions = (args: readonly string[]): SyncCommandOptions | 'help' => {
  const { values, positionals } = parse(args);
  if (values.help) {
    return 'help';
  }
  const [folder, ...more] = positionals;
  const problems = [
    ...(folder === undefined ? ['no folder: name the folder to synchronise'] : []),
    ...(more.length > 0 ? [`only one folder is allowed: unexpected ${more.join(', ')}`] : []),
    ...(values.watch && values['dry-run'] ? ['--watch and --dry-run cannot be combined'] : []),
  ];
  if (folder === undefined || problems.length > 0) {
    throw new UsageError(problems);
  }
  return {
    root: resolve(folder),
    isWatching: values.watch ?? false,
    inBackground: values.background ?? false,
    isDryRun: values['dry-run'] ?? false,
    mayDelete: (values.delete ?? false) || (values['delete-many'] ?? false),
    mayDeleteMany: values['delete-many'] ?? false,
  };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        watch: { type: 'boolean', short: 'w' },
        background: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        delete: { type: 'boolean' },
        'delete-many': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError([describeError(error)]);
  }
};
