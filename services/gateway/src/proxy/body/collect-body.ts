import type { IncomingMessage } from 'node:http';
import { byteBlocks, type ByteBlocks } from './byte-blocks.ts';

/** A complete body, the beginning of one that is too long (the rest can still be read), or none: disconnected. */
export type Collected =
  | { readonly kind: 'whole' | 'too_long'; readonly blocks: ByteBlocks }
  | { readonly kind: 'gone' };

export type Collection = {
  readonly req: IncomingMessage;
  readonly bytesMax: number;
  /** Called before memory is allocated. When it throws, the collection fails with its error. */
  readonly charge: (bytes: number) => void;
};

/** Reads a body into memory, up to a limit. */
export const collectBody = ({ req, bytesMax, charge }: Collection): Promise<Collected> =>
  new Promise((resolve, reject) => {
    const blocks = byteBlocks(Number(req.headers['content-length'] ?? 0), charge);
    const stop = (): void => {
      req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    };
    const settle = (collected: Collected): void => {
      stop();
      resolve(collected);
    };
    const onData = (chunk: Buffer): void => {
      try {
        blocks.add(chunk);
      } catch (error) {
        // The rest is read and dropped, so that a client that is still sending gets the error response.
        stop();
        reject(error as Error);
        return;
      }
      if (blocks.bytes() > bytesMax) {
        req.pause();
        settle({ kind: 'too_long', blocks });
      }
    };
    const onEnd = (): void => settle({ kind: 'whole', blocks });
    const onGone = (): void => settle({ kind: 'gone' });
    if (req.destroyed) {
      resolve({ kind: 'gone' });
      return;
    }
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
