import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Writes text to standard output, with a line break at its end if it has none. */
export const printText = (text: string): void => {
  process.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
};

/** Writes a value as JSON, indented on a terminal. */
export const printJson = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined)}\n`);
};

/** Writes one line to standard error. */
export const printNotice = (line: string): void => {
  process.stderr.write(`commonplace: ${line}\n`);
};

/** Colours text on a terminal that has colours, unless NO_COLOR is set; `hasColors` reads that. */
export const paint = (style: Style, text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(style, text) : text;
