import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyBytesMaxOf, type RouteContract } from '@commonplace/contracts';
import { isJsonInUtf8 } from '@commonplace/http/core';
import type { BodyAccount } from '../../limits/body-budget.ts';
import { collectBody } from './collect-body.ts';
import type { BufferedBody } from './buffered-body.ts';

export type AwaitBodyOptions = {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly contract: RouteContract;
  readonly openAccount: () => BodyAccount;
};

/**
 * Waits for the body that a service would act on, and gives it; null where the request can go on as it is: it has no
 * body, all of it is here, or no service reads it. `gone`: the client is.
 */
export const awaitBody = async (wait: AwaitBodyOptions): Promise<BufferedBody | 'gone' | null> => {
  const { req, res, contract } = wait;
  if (hasWholeBody(req) || !isBodyExpected(contract, req)) {
    return null;
  }
  const account = wait.openAccount();
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

/**
 * All of the body came with its head. Node runs what was awaited after it has parsed a piece of a body and before it
 * notices that this was the last one, so the bytes are counted too.
 */
export const hasWholeBody = ({ complete, headers, readableLength }: IncomingMessage): boolean =>
  complete || String(readableLength) === headers['content-length'];

/** A service refuses what is too long or no JSON by its head, and no handler ever sees it. */
const isBodyExpected = (contract: RouteContract, { headers }: IncomingMessage): boolean =>
  contract.body !== undefined &&
  isJsonInUtf8(headers['content-type']) &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) <= bodyBytesMaxOf(contract));
