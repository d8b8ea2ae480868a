import { ownFailure, type Command } from './command.ts';
import { heartbeat } from './commands/heartbeat.ts';
import { sync } from './commands/sync.ts';
import { describeError } from './describe-error.ts';
import { surviveLostOutput } from './survive-lost-output.ts';

const commands: Readonly<Record<string, Command>> = { heartbeat, sync };

const help = `Usage: commonplace <verb> [options]

${Object.entries(commands)
  .map(([verb, { summary }]) => `  ${verb.padEnd(12)}${summary}`)
  .join('\n')}
  help        print this, or the help of a verb

\`commonplace <verb> --help\` tells more.
`;

const runVerb = async ([verb = 'help', ...args]: readonly string[]): Promise<number> => {
  const isHelp = verb === 'help' || verb === '--help' || verb === '-h';
  const name = isHelp ? args[0] : verb;
  const command = name === undefined ? undefined : commands[name];
  if (name !== undefined && !command) {
    process.stderr.write(`commonplace: there is no verb "${name}"\n\n${help}`);
    return ownFailure;
  }
  if (!command || isHelp) {
    process.stdout.write(command?.help ?? help);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    process.stderr.write(`commonplace ${name}: ${describeError(error)}\n`);
    return ownFailure;
  }
};

surviveLostOutput();
process.exitCode = await runVerb(process.argv.slice(2));
