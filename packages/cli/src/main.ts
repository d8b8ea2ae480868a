#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { commandList, type CommandEntry } from './command-list.ts';
import { complete } from './complete.ts';
import { codeOf, describeError } from './describe-error.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import { wantsHelp } from './flags.ts';
import { commandHelp, commandLines, helpTopics } from './help-topics.ts';
import { printError } from './print.ts';
import { errorAsJson } from './report-error.ts';

const run = async (words: readonly string[]): Promise<number> => {
  const [first = 'help', ...rest] = words;
  switch (first) {
    case 'complete':
      await complete(rest);
      return exitCodes.done;
    case 'help':
    case '--help':
    case '-h':
      return printHelp(rest);
    case '--version':
    case '-v':
      process.stdout.write(`${readVersion()}\n`);
      return exitCodes.done;
    default: {
      const found = findCommand(words);
      return found ? runCommand(found.entry, found.args) : printGroup(words);
    }
  }
};

/** The command with these first words. */
const findCommand = (words: readonly string[]) => {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const entry = commandList.find((each) => each.name === name);
    if (entry) {
      return { entry, args: words.slice(length) };
    }
  }
  return undefined;
};

const runCommand = async (entry: CommandEntry, args: readonly string[]): Promise<number> => {
  const command = await entry.load();
  if (wantsHelp(args)) {
    process.stdout.write(command.help);
    return exitCodes.done;
  }
  try {
    return await command.run(args);
  } catch (error) {
    const isJson = args.includes('--json');
    const text = isJson ? errorAsJson(error) : `commonplace ${entry.name}: ${explainError(error)}`;
    printError(text);
    return command.failureCode ?? exitCodeOf(error);
  }
};

/** Prints the help of a group of commands. Options come after the command, so one in front is an error. */
const printGroup = (words: readonly string[]): Promise<number> | number => {
  const [first = ''] = words;
  if (!first.startsWith('-')) {
    return printHelp(words.slice(0, 2));
  }
  printError(
    `commonplace: options follow the command: unexpected ${first}\n\n${commandHelp.trimEnd()}`,
  );
  return exitCodes.usage;
};

/** Prints the help of a topic, of a command, or of a group of commands, such as `notes`. */
const printHelp = async (words: readonly string[]): Promise<number> => {
  const name = words.filter((word) => !word.startsWith('-')).join(' ');
  const command = commandList.find((each) => each.name === name);
  const group = commandList.filter((each) => each.name.startsWith(`${name} `));
  const text =
    (Object.hasOwn(helpTopics, name) ? helpTopics[name] : undefined) ??
    (command && (await command.load()).help) ??
    commandLines(group, 'commonplace ');
  const isKnown = text !== '' && (name !== '' || words.length === 0);
  if (!isKnown) {
    return refuseUnknown(words);
  }
  process.stdout.write(text);
  return exitCodes.done;
};

/** Says that there is no such command, and which ones the group has if there is one. */
const refuseUnknown = (words: readonly string[]): number => {
  const [first = ''] = words;
  const group = commandList.filter(({ name }) => name.startsWith(`${first} `));
  const known =
    group.length > 0
      ? `there are\n\n${commandLines(group, '  ').trimEnd()}`
      : '`commonplace help` lists the commands';
  printError(`commonplace: unknown command "${words.join(' ')}": ${known}`);
  return exitCodes.usage;
};

/** The package's version. Its file is in the folder above, of the sources and of the built program. */
const readVersion = (): string => {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
};

/**
 * Keeps running when its output cannot be written: the reader of a pipe is gone (EPIPE), or the disk of a
 * log file is full. Without a listener, the first such line would end the process in the middle of its work.
 * Where a result is lost, other than to a reader that wants no more, the command has failed.
 */
const surviveOutputErrors = (args: readonly string[]): void => {
  process.stderr.on('error', () => undefined);
  let isKnown = false;
  process.stdout.on('error', (error) => {
    if (!isKnown && codeOf(error) !== 'EPIPE') {
      const failure = new Error(`the output could not be written: ${describeError(error)}`);
      printError(
        args.includes('--json') ? errorAsJson(failure) : `commonplace: ${failure.message}`,
      );
      process.exitCode ||= exitCodes.failed;
    }
    isKnown = true;
  });
};

const args = process.argv.slice(2);
surviveOutputErrors(args);
// The code of an output error may be there already.
process.exitCode = (await run(args)) || process.exitCode;
