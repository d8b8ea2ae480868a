import {
  AppError,
  companyId,
  type RouteContract,
  type CompanyAccess,
  type CompanyId,
} from '@commonplace/contracts/core';
import {
  companyHeader,
  identityHeader,
  type AgentCaller,
  type Caller,
  type OperatorCaller,
  type VerifyIdentity,
} from '@commonplace/identity';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { assertCallerKind } from './caller-kind.ts';
import { assertSameTime } from './assert-same-time.ts';
import { assertRole, assertState } from './company-policy.ts';
import { handleInOrder } from './handle-in-order.ts';
import { parseOrThrow, parseQuery } from './parse-request.ts';
import { confirmCaller, type RecheckCaller, type CheckedCaller } from './confirm-caller.ts';
import { hasSmallJson, type ReadBody } from './read-body.ts';
import {
  resolveCompany,
  type CompanyResolutionInput,
  type FindRunAgent,
  type AssertVisible,
  type Owners,
  type Parts,
} from './resolve-company.ts';
import type { AnyReply, Route, RouteRequest } from './route-types.ts';
import { workOf, type WorkLimits } from './work.ts';

export type RequestDeps = {
  readonly verifyIdentity: VerifyIdentity;
  readonly owners: Owners;
  readonly parts: Parts;
  readonly agentOfRun: FindRunAgent | undefined;
  readonly assertVisible: AssertVisible;
  readonly nowMs: () => number;
  readonly recheckCaller: RecheckCaller | undefined;
  readonly limits: WorkLimits | undefined;
};

export type Incoming = {
  readonly req: Request;
  readonly res: Response;
  readonly readBody: ReadBody;
  readonly requestId: string;
  /** Called as soon as the caller is known, for the log. */
  readonly onCaller: (caller: Caller) => void;
};

/**
 * No request takes longer. An identity that expired within this time may belong to a request that waited here, so
 * its caller is looked up again. An older one is a replay and rejected.
 */
const agedMaxMs = 30_000;

/** 401 without a valid identity, or when the trusted company header differs from it; 503 when clocks differ. */
const identify = ({ verifyIdentity, nowMs }: RequestDeps, req: Request): CheckedCaller => {
  const token = req.headers[identityHeader];
  const identity = typeof token === 'string' ? verifyIdentity(token, nowMs(), agedMaxMs) : null;
  if (!identity) {
    assertSameTime(
      typeof token === 'string' ? verifyIdentity.findClockDifference(token, nowMs()) : null,
    );
    throw new AppError('identity_required');
  }
  const { caller, expiresAtMs } = identity;
  const header = companyId.safeParse(req.headers[companyHeader]);
  const named = header.success ? header.data : null;
  const claimed =
    caller.kind === 'agent'
      ? caller.companyId
      : caller.kind === 'operator'
        ? caller.selectedCompanyId
        : null;
  if (named !== claimed) {
    throw new AppError('identity_required', 'The company header and the signed identity disagree.');
  }
  return { caller, expiresAtMs, checkedAtMs: performance.now() };
};

const parseParams = (contract: RouteContract, req: Request): Readonly<Record<string, unknown>> =>
  contract.params ? parseOrThrow(contract.params, req.params, 'path') : {};

/** Query and body; runs after access, so that foreign callers learn nothing from its messages. */
const parseRest = async (
  { query, body }: RouteContract,
  { req, res, readBody }: Incoming,
  companyId: CompanyId | null,
) => {
  const rawBody = body || hasSmallJson(req) ? await readBody(req, res, companyId) : null;
  return {
    query: parseQuery(query, req.originalUrl),
    body: body || rawBody !== null ? parseOrThrow(body ?? nothing, rawBody, 'body') : {},
  };
};

/** The body of a route that takes none. What else is sent to it would be dropped in silence. */
const nothing = z.strictObject({});

type Resolved = Pick<RouteRequest, 'params' | 'caller' | 'company'>;

/** Calls the handler with the parsed request. Its types were checked where the route was defined. */
const callHandler = (route: Route, incoming: Incoming, parsed: object): Promise<AnyReply> => {
  const { req, res, requestId } = incoming;
  const header = (name: string) => {
    const value = req.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  return route.handle({
    ...parsed,
    access: route.contract.access,
    header,
    accepts: (...types: string[]) => req.accepts(types),
    requestId,
    // A function, not a getter: an object with a getter creates a hidden class of its own, which retains the
    // request until the next full collection.
    closeSignal: () => closeSignalOf(res),
    raw: { req, res },
  } as unknown as RouteRequest);
};

/** Aborted when the response is sent or the client disconnects. */
const closeSignalOf = (res: Response): AbortSignal => {
  const closed = new AbortController();
  if (res.destroyed) {
    closed.abort();
  }
  res.once('close', () => closed.abort());
  return closed.signal;
};

/**
 * The order of checks inside a service (docs/contract.md section 2): identity, path parameters,
 * kind of caller and scope, entity and company, role, content type and size, query and body, state, handler.
 */
export const handleRequest = async (
  deps: RequestDeps,
  route: Route,
  incoming: Incoming,
): Promise<AnyReply> => {
  const { contract } = route;
  const { access } = contract;
  const checked = access.kind === 'public' ? null : identify(deps, incoming.req);
  if (checked) {
    incoming.onCaller(checked.caller);
  }
  const params = parseParams(contract, incoming.req) as Resolved['params'];
  if (checked) {
    assertCallerKind(access, checked.caller);
  }
  if (access.kind === 'company' && checked) {
    return handleInCompany(route, incoming, { deps, access, checked, params });
  }
  const confirm = async (): Promise<Caller | null> => {
    const caller = checked && (await confirmed(deps, checked, { companyId: null }));
    if (caller) {
      assertCallerKind(access, caller);
    }
    return caller;
  };
  const rest = await parseRest(contract, incoming, null);
  const caller = await confirm();
  const recheck = async () => ({ caller: await confirm(), company: null });
  const work = workOf(deps.limits, null, { recheck, res: incoming.res });
  return callHandler(route, incoming, { params, caller, company: null, work, ...rest });
};

const confirmed = (
  deps: RequestDeps,
  checked: CheckedCaller,
  at: { readonly companyId: CompanyId | null; readonly acceptsEndedRun?: boolean | undefined },
) => confirmCaller({ checked, ...at, recheck: deps.recheckCaller, nowMs: deps.nowMs() });

type InCompany = {
  readonly deps: RequestDeps;
  readonly access: CompanyAccess;
  readonly checked: CheckedCaller;
  readonly params: Resolved['params'];
};

const handleInCompany = async (
  route: Route,
  incoming: Incoming,
  { deps, access, checked, params }: InCompany,
): Promise<AnyReply> => {
  const { owners, parts, agentOfRun } = deps;
  const inputOf = (caller: Caller): CompanyResolutionInput => ({
    access,
    caller: caller as AgentCaller | OperatorCaller,
    params,
    owners,
    parts,
    agentOfRun,
  });
  const input = inputOf(checked.caller);
  const company = await resolveCompany(input);
  /** The current caller and company: after a wait the caller may have another role, or none. */
  const recheck = async () => {
    const { acceptsEndedRun } = route.contract;
    const now = inputOf(await confirmed(deps, checked, { companyId: company.id, acceptsEndedRun }));
    const isSame = now.caller === input.caller;
    const scope = isSame ? company : await resolveCompany(now);
    const { caller } = now;
    if (!isSame) {
      assertCallerKind(access, caller);
      assertRole({ access, caller, company: scope, params });
    }
    assertState({ access, caller, company: scope, params }, route.contract.method);
    return { caller, company: scope };
  };
  return handleInOrder(
    { service: route.contract.service, input, company, assertVisible: deps.assertVisible },
    {
      parseRest: () => parseRest(route.contract, incoming, company.id),
      assertNow: recheck,
      handle: (rest, now) => {
        const work = workOf(deps.limits, company.id, { recheck, res: incoming.res });
        return callHandler(route, incoming, { params, ...now, work, ...rest });
      },
    },
  );
};
