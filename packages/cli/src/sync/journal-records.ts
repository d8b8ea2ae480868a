import type { FileHandle } from 'node:fs/promises';
import type { LocalNote, SyncWrite } from '@commonplace/client';

/*
 * A record is one write of the store: lines of JSON, of which all but the last have `more`. It counts when
 * its last line is complete. Lines are short, so that a journal of any length can be read.
 */

/** A line of a journal. */
type Line = SyncWrite & { readonly more?: true };

/** The approximate length of a line. A single note may be longer. */
const lineCharacters = 1024 * 1024;

/** Generates the lines of a record. */
export const linesOf = function* (write: SyncWrite): Generator<Buffer> {
  const { notes, ...rest } = write;
  let texts: string[] = [];
  let length = 0;
  for (const note of notes) {
    const text = JSON.stringify(note);
    if (texts.length > 0 && length + text.length > lineCharacters) {
      yield Buffer.from(`{"more":true,"notes":[${texts.join()}]}\n`);
      texts = [];
      length = 0;
    }
    texts.push(text);
    length += text.length;
  }
  const head = JSON.stringify({ ...rest, notes: [] satisfies LocalNote[] });
  yield Buffer.from(`${head.slice(0, -2)}${texts.join()}]}\n`);
};

/** A complete record, and its end in the file. */
type JournalRecord = { readonly writes: readonly SyncWrite[]; readonly end: number };

/** Reads the complete records of a journal from its start, without a truncated last one. */
export const readRecords = async function* (file: FileHandle): AsyncGenerator<JournalRecord> {
  let writes: SyncWrite[] = [];
  for await (const { bytes, end } of readLines(file)) {
    if (bytes.length > 0) {
      const { more, ...write } = JSON.parse(bytes.toString('utf8')) as Line;
      writes.push(write);
      if (!more) {
        yield { writes, end };
        writes = [];
      }
    }
  }
};

const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Generates the lines without their newlines. A last line without a newline is omitted. */
const readLines = async function* (
  file: FileHandle,
): AsyncGenerator<{ readonly bytes: Buffer; readonly end: number }> {
  let pieces: Buffer[] = [];
  for (let position = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) {
      return;
    }
    let from = 0;
    for (
      let to = chunk.subarray(0, bytesRead).indexOf(newline);
      to >= 0;
      to = chunk.subarray(0, bytesRead).indexOf(newline, from)
    ) {
      yield { bytes: Buffer.concat([...pieces, chunk.subarray(from, to)]), end: position + to + 1 };
      pieces = [];
      from = to + 1;
    }
    pieces.push(chunk.subarray(from, bytesRead));
    position += bytesRead;
  }
};
