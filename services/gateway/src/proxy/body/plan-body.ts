import type { IncomingMessage } from 'node:http';
import { bodyBytesMaxOf, type RouteContract } from '@commonplace/contracts';
import { isReadableType } from '@commonplace/http/core';

/** What the gateway does with the body of a request: there is none, it waits for all of it, or it streams what arrives. */
export type BodyPlan = 'none' | 'buffer' | 'stream';

/**
 * Decides what the gateway does with the body of a request. A body that has arrived is streamed, unless its messages
 * are to be counted, and so is one that no service reads.
 */
export const planBody = (req: IncomingMessage, contract: RouteContract): BodyPlan => {
  const bytes = announcedBytes(req);
  if (bytes === 0) {
    return 'none';
  }
  const isAwaited = contract.countsMessages === true || !hasArrived(req, bytes);
  return isAwaited && isRead(req, bytes, contract) ? 'buffer' : 'stream';
};

/** The length of a body by its headers: 0 without one (RFC 9112 section 6.3), null when it is chunked. */
export const announcedBytes = ({ headers }: IncomingMessage): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

/**
 * Whether all of a body has arrived. Node runs microtasks between a piece of a body and the notice that it was the
 * last, so the bytes are counted too.
 */
const hasArrived = ({ complete, readableLength }: IncomingMessage, bytes: number | null): boolean =>
  complete || readableLength === bytes;

/** A service rejects a body by its headers when it is too long or no JSON, so no handler reads it. */
const isRead = (
  { headers }: IncomingMessage,
  bytes: number | null,
  contract: RouteContract,
): boolean =>
  contract.body !== undefined &&
  isReadableType(headers['content-type'], contract.bodyType) &&
  (bytes === null || bytes <= bodyBytesMaxOf(contract));
