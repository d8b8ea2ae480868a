import type { IncomingMessage } from 'node:http';
import type { BodyAccount } from '../../limits/body-budget.ts';
import { byteBlocks, type ByteBlocks } from './byte-blocks.ts';

/** A complete body, the beginning of one that is too long (the rest can still be read), or none: disconnected. */
export type Collected =
  | { readonly kind: 'whole' | 'too_long'; readonly blocks: ByteBlocks }
  | { readonly kind: 'gone' };

export type Collection = {
  readonly req: IncomingMessage;
  readonly bytesMax: number;
  /** Opens the account that is charged before memory is allocated. The collection fails when its place is lost. */
  readonly openAccount: (onLost: (reason: Error) => void) => BodyAccount;
};

/** Reads a body into memory, up to a limit. Returns its account at once. */
export const collectBody = ({
  req,
  bytesMax,
  openAccount,
}: Collection): { readonly account: BodyAccount; readonly body: Promise<Collected> } => {
  const { promise: body, resolve, reject } = Promise.withResolvers<Collected>();
  const stop = (): void => {
    req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
  };
  // The rest is read and dropped, so that a client that is still sending gets the error response.
  const fail = (reason: Error): void => {
    stop();
    reject(reason);
  };
  const account = openAccount(fail);
  const blocks = byteBlocks(Number(req.headers['content-length'] ?? 0), account.charge);
  const settle = (collected: Collected): void => {
    account.complete();
    stop();
    resolve(collected);
  };
  const onData = (chunk: Buffer): void => {
    account.arrived(chunk.length);
    try {
      blocks.add(chunk);
    } catch (error) {
      fail(error as Error);
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
    settle({ kind: 'gone' });
  } else {
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  }
  return { account, body };
};
