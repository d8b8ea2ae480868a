import { internalErrorCode, type Command } from './command.ts';
import { heartbeat } from './commands/heartbeat.ts';
import { sync } from './commands/sync.ts';
import { describeError } from './describe-error.ts';

const commands: Readonly<Record<string, Command>> = { heartbeat, sync };

const help = `Usage: commonplace <command> [options]

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`)
  .join('\n')}
  help        print this text, or the help of a command

\`commonplace <command> --help\` prints its options.
`;

const runCommand = async ([first = 'help', ...args]: readonly string[]): Promise<number> => {
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  const name = isHelp ? args[0] : first;
  const command = name === undefined ? undefined : commands[name];
  if (name !== undefined && !command) {
    process.stderr.write(`commonplace: unknown command "${name}"\n\n${help}`);
    return internalErrorCode;
  }
  if (!command || isHelp) {
    process.stdout.write(command?.help ?? help);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    process.stderr.write(`commonplace ${name}: ${describeError(error)}\n`);
    return internalErrorCode;
  }
};

/**
 * Keeps running when its output cannot be written: the reader of a pipe is gone (EPIPE), or the disk of a
 * log file is full. Without a listener, the first such line would end the process in the middle of its work.
 */
const ignoreOutputErrors = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => undefined);
  }
};

ignoreOutputErrors();
process.exitCode = await runCommand(process.argv.slice(2));
