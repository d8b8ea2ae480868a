import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';
import { describeError } from '../describe-error.ts';

/** What the command line of `sync` asked for. */
export type SyncCommandOptions = {
  /** The folder, as an absolute path. */
  readonly root: string;
  readonly isWatching: boolean;
  readonly inBackground: boolean;
  readonly isDryRun: boolean;
  readonly mayDelete: boolean;
  readonly mayDeleteMany: boolean;
};

/** Reads the arguments of `sync`; 'help' when that is what was asked for. */
export const parseSyncOptions = (args: readonly string[]): SyncCommandOptions | 'help' => {
  const { values, positionals } = parse(args);
  if (values.help) {
    return 'help';
  }
  const [folder, ...more] = positionals;
  const problems = [
    ...(folder === undefined ? ['no folder: name the one to keep in step'] : []),
    ...(more.length > 0 ? [`one folder at a time: ${more.join(', ')} is too much`] : []),
    ...(values.watch && values['dry-run'] ? ['--watch and --dry-run exclude each other'] : []),
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
