import type { AppError, RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { presentedBy } from './authenticate.ts';
import type { Verified } from './authenticators/authenticator.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Exchange } from './exchange.ts';
import { forgetChanged } from './forget-changed.ts';
import type { Gateway } from './gateway.ts';
import { ownCookie } from './own-cookie.ts';
import { rebuildHeaders } from './rebuild-headers.ts';
import type { CompanyChoice } from './select-company.ts';
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
 * Brings a request to its service: credential (401), cross-site (403), rate (429), company (403), then
 * the headers are written anew. What is left to judge, the service judges.
 */
export const passOn = async (way: Way): Promise<void> => {
  const { gateway, exchange, passage } = way;
  const { req, res, facts } = exchange;
  const { contract, params } = passage;
  const isStream = contract.deadlineMs === null;
  const presented = presentedBy(req, { address: exchange.address, isStream });
  const choice: CompanyChoice = { contract, params, header: req.headers['x-company-id'] };

  const verified = contract.access.kind === 'public' ? null : await gateway.authenticate(presented);
  if (verified) {
    facts.caller = verified.holder;
  }
  refuseCrossSite(siteQuestion(way, verified));
  if (verified) {
    gateway.limitRate(verified.credentialId, res);
  }
  const caller = verified && (await gateway.selectCompany(verified.holder, choice));
  if (caller) {
    facts.caller = caller;
  }
  // Nobody is there any more, or what follows was unreadable and the request is refused already.
  if (res.destroyed || res.writableEnded) {
    return;
  }
  const isWatched = isStream && verified !== null && caller !== null;
  if (isWatched) {
    gateway.limitStreams({ credentialId: verified.credentialId, caller, res });
  }
  const flight = launch(way, verified, caller);
  if (isWatched) {
    const judgeAgain = async (maxAgeMs: number) => {
      const { holder } = await gateway.authenticate({ ...presented, maxAgeMs });
      return gateway.selectCompany(holder, { ...choice, maxAgeMs });
    };
    watchStream({ res, flight, caller, judgeAgain, draining: gateway.deps.draining });
  }
};

const siteQuestion = ({ gateway, exchange: { req } }: Way, verified: Verified | null) => ({
  req,
  via: verified?.via ?? null,
  mode: gateway.deps.config.DEPLOYMENT_MODE,
  publicOrigins: () => gateway.publicOrigins(gateway.portOf(req)),
  corsOrigins: gateway.deps.config.CORS_ORIGINS,
});

/** From here on the request carries nothing but what we wrote. */
const launch = (way: Way, verified: Verified | null, caller: Caller | null) => {
  const { gateway, exchange, passage } = way;
  const { req, res, requestId, address } = exchange;
  const { contract, params, refuse } = passage;
  // RFC 9110 section 10.1.1: a client of HTTP/1.0 knows no 100.
  const isBodyAwaited = req.headers.expect !== undefined && req.httpVersion !== '1.0';
  req.headers = rebuildHeaders(req.headers, {
    requestId,
    address,
    identity: caller && gateway.identityOf(caller),
    companyId: caller && claimedCompany(caller),
    cookie: mayKeepSession(way, verified)
      ? ownCookie(req.headers.cookie, gateway.cookieName)
      : null,
  });
  if (isBodyAwaited) {
    res.writeContinue();
  }
  return gateway.forward(req, res, {
    contract,
    onError: refuse,
    onAnswer: (status) => {
      if (status < 400) {
        forgetChanged({ method: req.method, contract, params, caller }, gateway.memories);
      }
    },
  });
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
