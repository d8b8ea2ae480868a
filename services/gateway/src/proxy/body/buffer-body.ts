import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyBytesMaxOf, type RouteContract } from '@commonplace/contracts';
import type { Clock } from '../../deps.ts';
import type { BodyAccount } from '../../limits/body-budget.ts';
import { byteBlocks } from './byte-blocks.ts';
import type { BufferedBody } from './outgoing-body.ts';

export type BufferBodyOptions = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly contract: RouteContract;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Opens the account that is charged before memory is allocated. The body fails when its place is lost. */
  readonly openAccount: (onLost: (reason: Error) => void) => BodyAccount;
};

/**
 * Waits for the body of a request, and reads it into memory: all of it, or the beginning of one that is longer than
 * the route allows. Null when the client disconnected. Its bytes are released with the response at the latest.
 */
export const bufferBody = (options: BufferBodyOptions): Promise<BufferedBody | null> => {
  const { req, res, contract, clock, openAccount } = options;
  const { promise, resolve, reject } = Promise.withResolvers<BufferedBody | null>();
  const startedAtMs = clock.monotonicMs();
  const stop = (): void => {
    req.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
  };
  // The rest is read and dropped, so that a client that is still sending gets the error response.
  const fail = (reason: Error): void => {
    stop();
    reject(reason);
  };
  const account = openAccount(fail);
  res.once('close', account.release);
  const blocks = byteBlocks(Number(req.headers['content-length'] ?? 0), account.charge);
  const settle = (body: BufferedBody | null): void => {
    account.complete();
    stop();
    resolve(body);
  };
  const bodyWith = (rest: IncomingMessage | null): BufferedBody => ({
    kind: 'buffered',
    bytes: blocks.bytes(),
    blocks: blocks.filled(),
    rest,
    waitedMs: clock.monotonicMs() - startedAtMs,
    release: account.release,
  });
  const onData = (chunk: Buffer): void => {
    account.arrived(chunk.length);
    try {
      blocks.add(chunk);
    } catch (error) {
      fail(error as Error);
      return;
    }
    if (blocks.bytes() > bodyBytesMaxOf(contract)) {
      req.pause();
      settle(bodyWith(req));
    }
  };
  const onEnd = (): void => settle(bodyWith(null));
  const onGone = (): void => settle(null);
  if (req.destroyed) {
    onGone();
  } else {
    req.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  }
  return promise;
};
