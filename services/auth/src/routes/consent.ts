import { decideConsentContract, getConsentContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { decideConsent, readConsent } from '../commands/consent.ts';
import type { Deps } from '../deps.ts';

type ConsentDeps = Pick<Deps, 'db' | 'clock' | 'connect' | 'callAgents' | 'log'>;

/** `GET /connect/consent/{uid}` */
export const getConsentRoute = (deps: ConsentDeps) =>
  defineRoute(getConsentContract, async ({ params, caller, raw, requestId }) => {
    const { cookie } = raw.req.headers;
    return reply(200, await readConsent(deps, { uid: params.uid, cookie, caller, requestId }));
  });

/** `POST /connect/consent/{uid}` */
export const decideConsentRoute = (deps: ConsentDeps) =>
  defineRoute(decideConsentContract, async ({ params, body, caller, raw, requestId }) => {
    const deciding = { uid: params.uid, cookie: raw.req.headers.cookie, caller, requestId };
    return reply(200, { location: await decideConsent(deps, deciding, body) });
  });
