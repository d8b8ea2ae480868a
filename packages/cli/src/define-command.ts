import type { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { UsageError } from './errors.ts';
import { helpFlag, parseFlags, type ArgumentCount, type Flags } from './flags.ts';
import { formatHelp, type HelpParts } from './format-help.ts';

type Values<F extends Flags> = ReturnType<
  typeof parseArgs<{ options: F; allowPositionals: true }>
>['values'];

/** What a command was called with. */
type Call<F extends Flags> = {
  readonly values: Values<F>;
  readonly positionals: readonly string[];
};

type Definition<F extends Flags> = Omit<HelpParts, 'flags'> & {
  readonly flags: F;
  readonly positionals: ArgumentCount;
  /** Runs the command. Returns the exit code. */
  readonly run: (call: Call<F>) => Promise<number>;
};

/** Makes a command from its options: their parser, their help, and `--help`. */
export const defineCommand = <const F extends Flags>(definition: Definition<F>): Command => {
  const flags = { ...definition.flags, ...helpFlag };
  return {
    name: definition.name,
    help: formatHelp({ ...definition, flags }),
    flags,
    run: async (args) => {
      const usage = `${definition.name} ${definition.usage}`;
      const count = { ...definition.positionals, usage };
      const { values, positionals } = parseFlags(flags, args, count);
      if (positionals.includes('')) {
        throw new UsageError([`an argument is empty: commonplace ${usage}`]);
      }
      return definition.run({ values: values as Values<F>, positionals });
    },
  };
};
