import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import { frameHeadBytes } from './archive-format.ts';
import type { FrameKind } from './archive-format.ts';

/** Writes the frames of a backup. */
export type FrameWriter = {
  readonly data: (kind: FrameKind, content: Buffer) => Promise<void>;
  readonly json: (kind: FrameKind, content: object) => Promise<void>;
  /** Resolves when the destination has received everything. */
  readonly end: () => Promise<void>;
};

/** Starts a backup, compressed and with a checksum. */
export const writeFrames = (destination: Writable): FrameWriter => {
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const written = pipeline(compressor, destination);
  written.catch(() => undefined);
  const data = async (kind: FrameKind, content: Buffer): Promise<void> => {
    const head = Buffer.alloc(frameHeadBytes);
    head.write(kind, 'latin1');
    head.writeUInt32BE(content.length, 1);
    compressor.write(head);
    if (!compressor.write(content)) {
      // A destination that fails never drains.
      await Promise.race([once(compressor, 'drain'), written]);
    }
  };
  return {
    data,
    json: (kind, content) => data(kind, Buffer.from(JSON.stringify(content))),
    end: async () => {
      compressor.end();
      await written;
    },
  };
};
