import type { RequestListener } from 'node:http';
import { asAppError, logFailure, requestLines, sendProblem } from '@commonplace/http/core';
import type { Deps } from './deps.ts';
import { beginExchange, type Exchange } from './exchange.ts';
import { buildGateway, type Gateway } from './gateway.ts';
import { refuseForeign } from './local-trusted.ts';
import { logExchange } from './log-exchange.ts';
import { setOwnHeaders } from './own-headers.ts';
import { passOn } from './pass-on.ts';
import { refuseHeaders } from './refuse-headers.ts';
import { refuseTarget } from './refuse-target.ts';

/** The gateway as a plain handler: it holds no state but what it may forget. */
export const createApp = (deps: Deps): RequestListener => {
  const gateway = buildGateway(deps);
  const log = { ...deps, log: requestLines(deps.log) };
  return (req, res) => {
    const exchange = beginExchange(
      { req, res },
      {
        address: gateway.addressOf(req),
        startedAtMs: deps.clock.monotonicMs(),
        isHttps: gateway.isHttps,
      },
    );
    logExchange(exchange, log);
    handle(gateway, exchange).catch((error: unknown) => refuse(deps, exchange, error));
  };
};

/** What every request goes through, in this order. */
const handle = async (gateway: Gateway, exchange: Exchange): Promise<void> => {
  const { req, res, facts } = exchange;
  const { table, cors, deps } = gateway;
  const path = refuseTarget(req.url ?? '');
  refuseHeaders(req);
  if (deps.config.DEPLOYMENT_MODE === 'local_trusted') {
    refuseForeign(req, gateway.portOf(req));
  }
  const place = table.placeOf(path);
  if (cors.preflight(req, res, () => table.allowed(place))) {
    return;
  }
  if (!place) {
    setOwnHeaders(res);
    if (gateway.standIn(exchange, path)) {
      return;
    }
  }
  const { route, params } = table.find(place, req.method ?? '');
  facts.route = route.path;
  if (route.target.kind === 'own') {
    setOwnHeaders(res);
    await route.target.answer(exchange);
    return;
  }
  cors.open(req, res);
  await passOn({
    gateway,
    exchange,
    passage: {
      contract: route.target.contract,
      params,
      refuse: (error) => refuse(deps, exchange, error),
    },
  });
};

/** Answers with a problem, unless there is nobody left to hear it or all has been said. */
const refuse = ({ log }: Deps, { res, requestId, facts }: Exchange, thrown: unknown): void => {
  if (res.destroyed || res.writableEnded) {
    return;
  }
  const error = asAppError(thrown);
  setOwnHeaders(res);
  facts.reason = error.code;
  logFailure(log, error, requestId);
  sendProblem(res, error, requestId);
};
