import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { UsageError } from '../errors.ts';

/**
 * Returns the text that a command is given: an argument, a file (`-` is standard input), or standard input. On a
 * terminal that would wait for the keyboard without a word, so there it is a UsageError.
 */
export const readInput = async ({
  text,
  file,
}: {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
}): Promise<string> => {
  if (text !== undefined) {
    return text;
  }
  if (file !== undefined && file !== '-') {
    return readFile(file, 'utf8');
  }
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(['no text: give it as --text or --file, or pipe it in']);
  }
  return readStream(process.stdin);
};
