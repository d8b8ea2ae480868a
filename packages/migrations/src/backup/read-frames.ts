import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { frameBytesMax, frameHeadBytes, frameKinds } from './archive-format.ts';
import type { Frame, FrameKind } from './archive-format.ts';

/** Reads the frames of a backup. Throws if the file is not a backup, or is damaged. */
export async function* readFrames(path: string): AsyncGenerator<Frame> {
  const decompressed = pipeline(createReadStream(path), createZstdDecompress(), () => undefined);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of decompressed as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let next = frameAt(rest, at); next; next = frameAt(rest, at)) {
      yield next;
      at += frameHeadBytes + next.content.length;
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) {
    throw new Error('the file is incomplete');
  }
}

const kinds: ReadonlySet<string> = new Set(Object.values(frameKinds));

/** The frame that begins here, or null while it is incomplete. */
const frameAt = (bytes: Buffer, at: number): Frame | null => {
  if (bytes.length < at + frameHeadBytes) {
    return null;
  }
  const kind = bytes.toString('latin1', at, at + 1);
  const length = bytes.readUInt32BE(at + 1);
  if (!kinds.has(kind) || length > frameBytesMax) {
    throw new Error('the file contains data that is not part of a backup');
  }
  const end = at + frameHeadBytes + length;
  return bytes.length < end
    ? null
    : { kind: kind as FrameKind, content: bytes.subarray(at + frameHeadBytes, end) };
};
