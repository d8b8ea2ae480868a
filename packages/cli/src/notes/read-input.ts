import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { noteLimits } from '@commonplace/contracts/note-limits';
import { codeOf } from '../describe-error.ts';
import { UsageError } from '../errors.ts';

/** The options of a text, as they were given. */
export type TextOptions = {
  readonly text?: string | undefined;
  readonly file?: string | undefined;
};

/**
 * Returns the text that a command is given: an argument, a file (`-` is standard input), or standard input. On a
 * terminal that would wait for the keyboard without a word, so there it is a UsageError, as is a text that no note can
 * have. Standard input with no byte in it is one too: more often a command before the pipe has failed than the text of a
 * note is to be removed.
 */
export const readInput = async ({ text, file }: TextOptions): Promise<string> => {
  if (text !== undefined && file !== undefined) {
    throw new UsageError(['only one of --text and --file']);
  }
  if (text !== undefined) {
    return text;
  }
  if (file !== undefined && file !== '-') {
    return decode(await readFileBytes(file), file);
  }
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(['no text: give it as --text or --file, or pipe it in']);
  }
  const bytes = await readBytes(process.stdin);
  if (bytes.length === 0) {
    throw new UsageError([
      'standard input is empty: an empty text is given as --text "" or --with ""',
    ]);
  }
  return decode(bytes, 'standard input');
};

/** Throws a UsageError for a text that no note can have. */
export const assertFits = (text: string): void => {
  if (Buffer.byteLength(text) > noteLimits.contentBytesMax) {
    throw tooLong();
  }
};

const tooLong = (): UsageError =>
  new UsageError([
    `the text has more than ${noteLimits.contentBytesMax} bytes, which is the most that a note has`,
  ]);

const readFileBytes = async (file: string): Promise<Buffer> => {
  try {
    return await readBytes(createReadStream(file));
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : new UsageError([`${file} cannot be read (${code})`]);
  }
};

/** Reads no more than a note can have: input may be endless. */
const readBytes = async (input: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > noteLimits.contentBytesMax) {
      throw tooLong();
    }
  }
  return Buffer.concat(chunks);
};

/** Text in another encoding would be stored with replacement characters in place of its own. */
const decode = (bytes: Buffer, source: string): string => {
  if (!isUtf8(bytes)) {
    throw new UsageError([`${source} is not UTF-8: convert it first, as with iconv`]);
  }
  return bytes.toString('utf8');
};
