import type { Flag, Flags } from './flags.ts';

/** The parts of a help text. */
export type HelpParts = {
  readonly name: string;
  /** The arguments, as in `<note> [options]`. */
  readonly usage: string;
  readonly about: string;
  readonly flags: Flags;
  /** What follows the options. */
  readonly footer?: string;
};

/** Formats the help of a command. */
export const formatHelp = ({ name, usage, about, flags, footer }: HelpParts): string => {
  const rows = Object.entries(flags).map(
    ([flag, spec]) => [formatFlag(flag, spec), spec.about] as const,
  );
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  return [
    `Usage: commonplace ${name} ${usage}\n`,
    `${wrap(about)}\n`,
    'Options:',
    ...rows.map(([label, text]) => `  ${label.padEnd(width)}${text}`),
    ...(footer === undefined ? [] : ['', wrap(footer)]),
    '',
  ].join('\n');
};

const formatFlag = (name: string, { short, value }: Flag): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

/** The width of a terminal that nobody has widened. */
const columns = 80;

/** Breaks text between words. Indented lines stay as they are. */
const wrap = (text: string): string =>
  text
    .trim()
    .split(/\n(?=\n| )|(?<=\n {2}.*)\n/)
    .flatMap((paragraph) => (paragraph.startsWith(' ') ? [paragraph] : wrapParagraph(paragraph)))
    .join('\n');

const wrapParagraph = (paragraph: string): string[] => {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trimStart();
    if (lines.length > 0 && longer.length <= columns) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines;
};
