import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Writes text to standard output, with a line break at its end if it has none. */
export const printText = (text: string): void => {
  const shown = process.stdout.isTTY ? forTerminal(text) : text;
  process.stdout.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
};

/** Writes the content of a note, or of another resource: to a pipe exactly that, on a terminal as text. */
export const printContent = (content: string): void => {
  if (process.stdout.isTTY) {
    printText(content);
  } else {
    process.stdout.write(content);
  }
};

/** Writes a value as JSON, indented on a terminal. */
export const printJson = (value: unknown): void => {
  writeJson(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined));
};

/** Writes a value as JSON in one line, so that a program can read several one by one. */
export const printJsonLine = (value: unknown): void => {
  writeJson(JSON.stringify(value));
};

const writeJson = (text: string): void => {
  // JSON itself escapes only the first 32 characters. A line break here is its own.
  process.stdout.write(`${withoutControls(text)}\n`);
};

/** Writes one line to standard error. */
export const printNotice = (line: string): void => printError(`commonplace: ${line}`);

/** Writes text to standard error. It may have the names of notes and files, which anyone may have chosen. */
export const printError = (text: string): void => {
  process.stderr.write(`${withoutControls(text)}\n`);
};

/** Control characters but tabs and line breaks, and those that change the direction of text, which show it in another order. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces what a terminal would obey: the text of a note could set its clipboard, or hide lines of itself. */
const withoutControls = (text: string): string =>
  text.replace(
    controls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Stands for the escape character of what `paint` adds. It differs in each process, so no text can have it. */
const paintMark = crypto.randomUUID();

const forTerminal = (text: string): string => withoutControls(text).replaceAll(paintMark, '\u001b');

/**
 * Colours text on a terminal that has colours, unless NO_COLOR is set; `hasColors` reads that. The result is for
 * `printText`.
 */
export const paint = (style: Style, text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors()
    ? styleText(style, withoutControls(text)).replaceAll('\u001b', paintMark)
    : text;
