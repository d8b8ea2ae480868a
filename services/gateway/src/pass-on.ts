import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppError, RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import type { Verified } from './authenticators/authenticator.ts';
import { awaitBody, isHere } from './bodies/await-body.ts';
import type { HeldBody } from './bodies/held-body.ts';
import type { Exchange } from './exchange.ts';
import { forgetChanged } from './forget-changed.ts';
import type { Gateway } from './gateway.ts';
import { judgeCaller, type Judged } from './judge-caller.ts';
import { ownCookie } from './own-cookie.ts';
import { rebuildHeaders } from './rebuild-headers.ts';
import { watchStream } from './watch-stream.ts';

/** A route to a service, as the table found it. */
type Passage = {
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
  /** Answers with an error, and logs it. */
  readonly refuse: (error: AppError) => void;
};

type Way = { readonly gateway: Gateway; readonly exchange: Exchange; readonly passage: Passage };

/**
 * A body that takes longer than this has its sender judged again. A cached verification is up to 900 ms old:
 * both together stay below the second within which a revocation holds.
 */
const judgedMaxMs = 50;

/**
 * Brings a request to its service: credential (401), cross-site (403), rate (429), company (403), then
 * the headers are written anew. What is left to judge, the service judges. A body that is still on its way is
 * waited for here, and then its sender is judged again: a service never holds a request that can be completed
 * when its sender may no longer send it.
 */
export const passOn = async (way: Way): Promise<void> => {
  const { gateway, exchange, passage } = way;
  const { req, res } = exchange;
  const judge = judgeCaller({ gateway, exchange, ...passage });
  const first = await judge.first();
  if (isOver(res)) {
    return;
  }
  askForBody(req, res);
  const held = isHere(req) ? null : await holdBody(way, first);
  if (isOver(res) || held?.body === 'gone') {
    return;
  }
  const judged = held?.isLate ? await judge.again() : first;
  if (isOver(res)) {
    return;
  }
  const { verified, caller } = judged;
  const isWatched = passage.contract.deadlineMs === null && verified !== null;
  if (isWatched) {
    gateway.limitStreams({ credentialId: verified.credentialId, caller, res });
  }
  const flight = launch(way, judged, held?.body ?? null);
  if (isWatched) {
    const judgeAgain = async (maxAgeMs: number) => (await judge.again(maxAgeMs)).caller;
    watchStream({ res, flight, caller, judgeAgain, draining: gateway.deps.draining });
  }
};

/** Nobody is there any more, or what follows was unreadable and the request is refused already. */
const isOver = (res: ServerResponse): boolean => res.destroyed || res.writableEnded;

/** RFC 9110 section 10.1.1: a client of HTTP/1.0 knows no 100. */
const askForBody = (req: IncomingMessage, res: ServerResponse): void => {
  if (req.headers.expect !== undefined && req.httpVersion !== '1.0') {
    res.writeContinue();
  }
};

type Held = {
  readonly body: HeldBody | 'gone' | null;
  /** It took so long that its sender may have lost its access meanwhile. */
  readonly isLate: boolean;
};

const holdBody = async (
  { gateway, exchange, passage }: Way,
  { verified }: Judged,
): Promise<Held> => {
  const { req, res, address } = exchange;
  const { monotonicMs } = gateway.deps.clock;
  const credentialId = verified?.credentialId ?? null;
  const startedAtMs = monotonicMs();
  const body = await awaitBody({
    req,
    res,
    contract: passage.contract,
    openAccount: () => gateway.bodyBudget({ address, credentialId }),
  });
  return { body, isLate: monotonicMs() - startedAtMs > judgedMaxMs };
};

/** From here on the request carries nothing but what we wrote. */
const launch = (way: Way, { verified, caller }: Judged, body: HeldBody | null) => {
  const { gateway, exchange, passage } = way;
  const { req, requestId, address } = exchange;
  const { contract, params, refuse } = passage;
  req.headers = rebuildHeaders(req.headers, {
    requestId,
    address,
    identity: caller && gateway.identityOf(caller),
    companyId: caller && claimedCompany(caller),
    cookie: mayKeepSession(way, verified)
      ? ownCookie(req.headers.cookie, gateway.cookieName)
      : null,
    bodyBytes: bytesKnown(req, body),
  });
  return gateway.forward(req, exchange.res, {
    contract,
    body,
    onError: refuse,
    onAnswer: (status) => {
      if (status < 400) {
        forgetChanged({ method: req.method, contract, params, caller }, gateway.memories);
      }
    },
  });
};

/** A service learns how long a body is before it reads it, also where the client sent it in chunks. */
const bytesKnown = (req: IncomingMessage, body: HeldBody | null): number | null => {
  if (body) {
    return body.rest === null ? body.bytes : null;
  }
  const isChunked = req.headers['transfer-encoding'] !== undefined;
  return isChunked && req.complete ? req.readableLength : null;
};

const claimedCompany = (caller: Caller): string | null => {
  if (caller.kind === 'service') {
    return null;
  }
  return caller.kind === 'agent' ? caller.companyId : caller.selectedCompanyId;
};

/** Only the auth service sees the cookie, and only where a cookie is a credential at all. */
const mayKeepSession = ({ gateway, passage }: Way, verified: Verified | null): boolean =>
  passage.contract.service === 'auth' &&
  gateway.deps.config.DEPLOYMENT_MODE === 'authenticated' &&
  verified?.via !== 'bearer';
