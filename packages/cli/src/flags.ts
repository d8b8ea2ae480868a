import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findRepeatedOption } from '@commonplace/config';
import { UsageError } from './errors.ts';
import { describeError } from './describe-error.ts';

/** An option of a command: how it is parsed, described and completed. */
export type Flag = {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What the value is called in the help: `<n>`. */
  readonly value?: string;
  readonly about: string;
  /** The values that are allowed, for completion. */
  readonly choices?: readonly string[];
  /** Whether "" is a value of it. */
  readonly mayBeEmpty?: boolean;
};

/** Options by their names. */
export type Flags = Readonly<Record<string, Flag>>;

type Parsed<F extends Flags> = ReturnType<typeof parseArgs<{ options: F; allowPositionals: true }>>;

/** How many arguments a command takes besides its options. */
export type ArgumentCount = {
  readonly min: number;
  readonly max: number;
  /** How they are called, as in `notes read <note>`: what a person reads if one is missing. */
  readonly usage?: string;
};

/** Parses the arguments of a command. Throws a UsageError. */
export const parseFlags = <const F extends Flags>(
  flags: F,
  args: readonly string[],
  { min, max, usage }: ArgumentCount,
): Parsed<F> => {
  assertUtf8(args);
  const parsed = parse(flags, args);
  const repeated = findRepeatedOption(flags, args);
  if (repeated !== undefined) {
    throw new UsageError([`${repeated} is given more than once`]);
  }
  assertNotEmpty(flags, parsed.values);
  const { length } = parsed.positionals;
  if (length < min) {
    throw new UsageError([`an argument is missing${usage ? `: commonplace ${usage}` : ''}`]);
  }
  if (length > max) {
    throw new UsageError([`unexpected argument "${parsed.positionals[max]}"`]);
  }
  return parsed;
};

/** Refuses an empty value, as of a variable that is not set: it would be sent as a name, or a filter would have none. */
const assertNotEmpty = (flags: Flags, values: Readonly<Record<string, unknown>>): void => {
  const empty = Object.entries(values).find(
    ([name, value]) => !flags[name]?.mayBeEmpty && [value].flat().includes(''),
  );
  if (empty !== undefined) {
    throw new UsageError([`--${empty[0]} is empty: give it a value, or leave it out`]);
  }
};

/** Node has replaced bytes that are not UTF-8 by U+FFFD, so another text would be stored, and another name looked for. */
const assertUtf8 = (args: readonly string[]): void => {
  const broken = args.find((arg) => arg.includes('\ufffd'));
  if (broken !== undefined && !isCommandLineUtf8()) {
    throw new UsageError([
      `an argument is not UTF-8, or has the character U+FFFD: "${broken}"; --file and standard input take any text`,
    ]);
  }
};

/** Whether the bytes of the arguments are known to be UTF-8, so that U+FFFD is what was typed: only Linux shows them. */
const isCommandLineUtf8 = (): boolean => {
  try {
    return isUtf8(readFileSync('/proc/self/cmdline'));
  } catch {
    return false;
  }
};

const parse = <F extends Flags>(flags: F, args: readonly string[]): Parsed<F> => {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true }) as Parsed<F>;
  } catch (error) {
    const unknown = findUnknown(flags, args);
    throw new UsageError([
      unknown === undefined
        ? describeError(error)
        : `unknown option ${unknown}: --help lists the options; an argument that begins with - follows --`,
    ]);
  }
};

/** The first option that the command does not have, as it was written. */
const findUnknown = (flags: Flags, args: readonly string[]): string | undefined =>
  parseArgs({ args: [...args], options: flags, strict: false, tokens: true }).tokens.flatMap(
    (token) =>
      token.kind === 'option' && !Object.hasOwn(flags, token.name) ? [token.rawName] : [],
  )[0];

/** The option of the commands of operators, who may be in several companies. */
export const companyFlag = {
  company: { type: 'string', value: '<id>', about: 'the company, if you are in several' },
} as const satisfies Flags;

/** Parses the value of `--name` as one of its choices. Throws a UsageError. */
export const oneOf = <Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice => {
  const choice = choices.find((each) => each === text);
  if (choice === undefined) {
    throw new UsageError([`--${name} must be one of ${choices.join(', ')}`]);
  }
  return choice;
};

/** The bounds of a number. */
type Bounds = { readonly min: number; readonly max: number };

/** The largest revision or line number that the server takes. */
export const integerMax = 2_147_483_647;

/** Parses the value of `--name` as a whole number; undefined without a value. Throws a UsageError. */
export const wholeNumber = (
  name: string,
  text: string | undefined,
  { min, max }: Bounds,
): number | undefined => {
  if (text === undefined) {
    return undefined;
  }
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new UsageError([`--${name} must be a whole number from ${min} to ${max}`]);
  }
  return value;
};

/**
 * Parses the value of `--name` as a time, for the API: a day begins at midnight UTC, and seconds get the milliseconds
 * that the API has. Undefined without a value. Throws a UsageError.
 */
export const instant = (name: string, text: string | undefined): string | undefined => {
  if (text === undefined) {
    return undefined;
  }
  const day = timePattern.exec(text)?.[1] ?? '';
  const isDay = isValid(day) && new Date(day).toISOString().startsWith(day);
  if (!isDay || !isValid(text)) {
    throw new UsageError([
      `--${name} must be a day or a time with its zone, as 2026-01-31 or 2026-01-31T09:30:00Z`,
    ]);
  }
  return new Date(text).toISOString();
};

const timePattern = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

const isValid = (time: string): boolean => !Number.isNaN(Date.parse(time));

/** Whether the help is requested; arguments after `--` belong to another program. */
export const wantsHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own.includes('--help') || own.includes('-h');
};

/** The option of commands whose change may become a proposal. */
export const reasonFlag = {
  reason: {
    type: 'string',
    value: '<text>',
    about: 'why, where it becomes a proposal',
  },
} as const satisfies Flags;

/** The option of commands that have a result. */
export const jsonFlag = {
  json: { type: 'boolean', about: 'print the result, or the error, as JSON' },
} as const satisfies Flags;

/** The option of every command. */
export const helpFlag = {
  help: { type: 'boolean', short: 'h', about: 'print this text' },
} as const satisfies Flags;
