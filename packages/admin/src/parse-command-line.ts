import { parseArgs } from 'node:util';
import { findRepeatedOption } from '@commonplace/config';
import { UsageError, type Command, type CommandInput } from './command.ts';

/** Parses the arguments of a command. Throws a UsageError. */
export const parseCommandLine = (
  { options = {}, argsMax = 0 }: Pick<Command, 'options' | 'argsMax'>,
  args: readonly string[],
): Pick<CommandInput, 'options' | 'args'> => {
  const { values, positionals } = parse(options, args);
  const repeated = findRepeatedOption(options, args);
  if (repeated !== undefined) {
    throw new UsageError(`${repeated} is given more than once`);
  }
  if (positionals.length > argsMax) {
    throw new UsageError('too many arguments');
  }
  return { options: values as CommandInput['options'], args: positionals };
};

const parse = (options: NonNullable<Command['options']>, args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};
