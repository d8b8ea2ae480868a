import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Writes text to standard output, with a line break at its end if it has none. */
export const printText = (text: string): void => {
  const shown = process.stdout.isTTY ? withoutEscapes(text) : text;
  process.stdout.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
};

/** Writes a value as JSON, indented on a terminal. */
export const printJson = (value: unknown): void => {
  const text = JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined);
  // JSON itself escapes only the first 32 characters.
  process.stdout.write(`${text.replace(/[\u007f-\u009f]/g, escaped)}\n`);
};

/** Writes one line to standard error. */
export const printNotice = (line: string): void => printError(`commonplace: ${line}`);

/** Writes text to standard error. It may have the names of notes and files, which anyone may have chosen. */
export const printError = (text: string): void => {
  process.stderr.write(`${text.replace(controls, escaped)}\n`);
};

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Replaces control characters, which a terminal would obey: the text of a note could set its clipboard or title. What
 * `paint` adds stays.
 */
const withoutEscapes = (text: string): string =>
  text.replace(
    /(\u001b\[(?:1|2|22|3[0-9])m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g,
    (character, painted?: string) => painted ?? escaped(character),
  );

/** Colours text on a terminal that has colours, unless NO_COLOR is set; `hasColors` reads that. */
export const paint = (style: Style, text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(style, text) : text;
