import type { IncomingMessage } from 'node:http';
import { byteBlocks, type ByteBlocks } from './byte-blocks.ts';

/** What became of a body: whole, more than was allowed (the rest can still be read), or cut off. */
export type Collected =
  | { readonly kind: 'whole' | 'too_long'; readonly blocks: ByteBlocks }
  | { readonly kind: 'gone' };

export type Collection = {
  readonly req: IncomingMessage;
  readonly bytesMax: number;
  /** Called before memory is taken; what it throws ends the collection. */
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
        // It flows on to nobody: who still sends is to read the refusal, and not to find the connection closed.
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
