import { commandList, type CommandEntry } from './command-list.ts';
import { completePath } from './complete-path.ts';
import type { Flag, Flags } from './flags.ts';
import { shells } from './shells.ts';

/** What a word may become: values with a description, or paths. */
type Candidates = {
  readonly values: readonly Candidate[];
  /** Which paths; a shell may complete them itself. */
  readonly paths?: 'files' | 'folders';
};

type Candidate = { readonly value: string; readonly about: string };

/** The words of a command line, as typed: the last one is to be completed. */
type Words = { readonly before: readonly string[]; readonly last: string };

/**
 * Prints what the last word may become: a line for each value, with a tab before its description. `:files` or
 * `:folders` comes first where paths are completed. The scripts of `commonplace completion` call it, as
 * `commonplace complete -- <words>`, with the words as typed. Values are raw: each shell quotes them itself.
 */
export const complete = async ([, ...typed]: readonly string[]): Promise<void> => {
  const words = typed.map(unquote);
  const last = words.at(-1) ?? '';
  const { values, paths } = await findCandidates({ before: words.slice(0, -1), last });
  const lines = values
    .filter(({ value }) => value.startsWith(last) && isPrintable(value))
    .map(({ value, about }) => (about === '' ? value : `${value}\t${about}`));
  const all = paths === undefined ? lines : [`:${paths}`, ...lines];
  process.stdout.write(all.map((line) => `${line}\n`).join(''));
};

/** A shell would take a line break for the next value, and names that are not UTF-8 cannot be printed. */
const isPrintable = (value: string): boolean => !/[\p{Cc}\ufffd]/u.test(value);

/** Removes the quotes of a word as it was typed. Nothing is expanded. */
export const unquote = (typed: string): string =>
  typed.replace(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\[^])*)(?:"|$)|\\([^])/g,
    (_, ...[single, double, escaped]: (string | undefined)[]) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );

const findCandidates = async ({ before, last }: Words): Promise<Candidates> => {
  const entry = findEntry(before);
  if (!entry) {
    return { values: nextWords(before) };
  }
  const { flags } = await entry.load();
  const args = before.slice(entry.name.split(' ').length);
  if (args.includes('--')) {
    return { values: [] };
  }
  return completeArgument({ entry, flags, previous: args.at(-1) ?? '', last });
};

const findEntry = (words: readonly string[]): CommandEntry | undefined =>
  [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .flatMap((name) => commandList.find((each) => each.name === name) ?? [])[0];

/** The words that may follow, until they are a command. */
const nextWords = (before: readonly string[]): Candidate[] => {
  const following = commandList
    .map(({ name, summary }) => ({ words: name.split(' '), summary }))
    .filter(({ words }) => before.every((word, at) => words[at] === word));
  const found = following.flatMap(({ words, summary }) => {
    const value = words[before.length];
    const isWhole = words.length === before.length + 1;
    return value === undefined ? [] : [{ value, about: isWhole ? summary : '' }];
  });
  return [...new Map(found.map((candidate) => [candidate.value, candidate])).values()];
};

type Argument = {
  readonly entry: CommandEntry;
  readonly flags: Flags;
  readonly previous: string;
  readonly last: string;
};

const completeArgument = ({ entry, flags, previous, last }: Argument): Candidates => {
  const assigned = /^--([\w-]+)=/.exec(last);
  if (assigned) {
    return completeValue(flags[assigned[1] ?? ''], { prefix: assigned[0], last });
  }
  const flag = findFlag(flags, previous);
  if (flag?.type === 'string') {
    return completeValue(flag, { prefix: '', last });
  }
  if (last.startsWith('-')) {
    const options = Object.entries(flags);
    return { values: options.map(([name, { about }]) => ({ value: `--${name}`, about })) };
  }
  if (entry.name === 'sync') {
    return { paths: 'folders', values: named(completePath(last, { isFolder: true })) };
  }
  return { values: entry.name === 'completion' ? named(shells) : [] };
};

const findFlag = (flags: Flags, word: string): Flag | undefined =>
  Object.entries(flags).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  )?.[1];

const completeValue = (
  flag: Flag | undefined,
  { prefix, last }: { readonly prefix: string; readonly last: string },
): Candidates => {
  if (flag?.value === '<file>') {
    const found = completePath(last.slice(prefix.length), { isFolder: false });
    return { paths: 'files', values: named(found.map((path) => `${prefix}${path}`)) };
  }
  return { values: named((flag?.choices ?? []).map((choice) => `${prefix}${choice}`)) };
};

const named = (values: readonly string[]): Candidate[] =>
  values.map((value) => ({ value, about: '' }));
