import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyBytesMaxOf, type RouteContract } from '@commonplace/contracts';
import { isReadableType } from '@commonplace/http/core';
import type { BodyAccount } from '../../limits/body-budget.ts';
import type { BufferedBody } from './buffered-body.ts';
import { collectBody } from './collect-body.ts';

export type AwaitBodyOptions = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly contract: RouteContract;
  readonly openAccount: () => BodyAccount;
};

/**
 * Waits for the body of a request and returns it. Returns null when there is nothing to wait for: the request
 * has no body, all of it has arrived and is not read here, or no service reads it. `gone` means that the client disconnected.
 */
export const awaitBody = async (
  options: AwaitBodyOptions,
): Promise<BufferedBody | 'gone' | null> => {
  const { req, res, contract } = options;
  if (!mustBuffer(req, contract) || !isBodyExpected(contract, req)) {
    return null;
  }
  const account = options.openAccount();
  res.once('close', account.release);
  const bytesMax = bodyBytesMaxOf(contract);
  const collected = await collectBody({ req, bytesMax, charge: account.charge });
  if (collected.kind === 'gone') {
    return 'gone';
  }
  const { kind, blocks } = collected;
  const rest = kind === 'whole' ? null : req;
  return { bytes: blocks.bytes(), blocks: blocks.filled(), rest, release: account.release };
};

/** A body that has arrived is piped as it is, unless its messages are to be counted. */
export const mustBuffer = (req: IncomingMessage, contract: RouteContract): boolean =>
  contract.countsMessages === true || !hasWholeBody(req);

/**
 * Whether the body has arrived. Node runs microtasks between a piece of a body and the notice that it was the
 * last, so the bytes are counted too.
 */
const hasWholeBody = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || String(readableLength) === headers['content-length'];

/** A service rejects a body by its headers when it is too long or no JSON, so no handler reads it. */
const isBodyExpected = (contract: RouteContract, { headers }: IncomingMessage): boolean =>
  contract.body !== undefined &&
  isReadableType(headers['content-type'], contract.bodyType) &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) <= bodyBytesMaxOf(contract));
