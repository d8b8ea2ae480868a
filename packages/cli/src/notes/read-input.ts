import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer as readStream } from 'node:stream/consumers';
import { UsageError } from '../errors.ts';

/** The options of a text, as they were given. */
export type TextOptions = {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
};

/**
 * Returns the text that a command is given: an argument, a file (`-` is standard input), or standard input. On a
 * terminal that would wait for the keyboard without a word, so there it is a UsageError.
 */
export const readInput = async ({ text, file }: TextOptions): Promise<string> => {
  if (text !== undefined && file !== undefined) {
    throw new UsageError(['only one of --text and --file']);
  }
  if (text !== undefined) {
    return text;
  }
  if (file !== undefined && file !== '-') {
    return decode(await readFile(file), file);
  }
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(['no text: give it as --text or --file, or pipe it in']);
  }
  return decode(await readStream(process.stdin), 'standard input');
};

/** Text in another encoding would be stored with replacement characters in place of its own. */
const decode = (bytes: Buffer, source: string): string => {
  if (!isUtf8(bytes)) {
    throw new UsageError([`${source} is not UTF-8: convert it first, as with iconv`]);
  }
  return bytes.toString('utf8');
};
