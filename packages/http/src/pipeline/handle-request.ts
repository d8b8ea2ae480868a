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
import { assertCallerKind } from './caller-kind.ts';
import { assertRole, assertState } from './company-policy.ts';
import { parseOrThrow, parseQuery } from './parse-request.ts';
import { confirmCaller, type RecheckCaller, type Standing } from './recheck.ts';
import { asAppError } from './problem.ts';
import type { ReadBody } from './read-body.ts';
import {
  assertOwnRun,
  resolveCompany,
  assertEntityOwnership,
  type CompanyResolutionInput,
  type FindRunAgent,
  type Owners,
  type Parts,
} from './resolve-company.ts';
import type { AnyReply, Route, RouteRequest } from './route-types.ts';

export type RequestDeps = {
  readonly verifyIdentity: VerifyIdentity;
  readonly owners: Owners;
  readonly parts: Parts;
  readonly agentOfRun: FindRunAgent | undefined;
  readonly nowMs: () => number;
  readonly recheckCaller: RecheckCaller | undefined;
};

export type Incoming = {
  readonly req: Request;
  readonly res: Response;
  readonly readBody: ReadBody;
  readonly requestId: string;
  /** Told as soon as it is known, for the log. */
  readonly onCaller: (caller: Caller) => void;
};

/**
 * Nobody waits longer for an answer. An identity that ended later than this waited here, and its caller is looked up
 * again; one that ended earlier was kept by somebody.
 */
const agedMaxMs = 30_000;

/** 401 without a good identity, or when the trusted company header does not say what the identity says. */
const identify = ({ verifyIdentity, nowMs }: RequestDeps, req: Request): Standing => {
  const token = req.headers[identityHeader];
  const identity = typeof token === 'string' ? verifyIdentity(token, nowMs(), agedMaxMs) : null;
  if (!identity) {
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
const parseRest = async ({ query, body }: RouteContract, { req, res, readBody }: Incoming) => {
  const rawBody = body ? await readBody(req, res) : undefined;
  return {
    query: parseQuery(query, req.originalUrl),
    body: body ? parseOrThrow(body, rawBody, 'body') : {},
  };
};

type Known = Pick<RouteRequest, 'params' | 'caller' | 'company'>;

/** Hands the parsed request to the route. The types were checked where the route was defined. */
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
    requestId,
    // A function and no getter: an object with a getter of its own brings a shape of its own, and shapes, which
    // live until the next full collection, held on to every request.
    closeSignal: () => signalOfEnd(res),
    raw: { req, res },
  } as unknown as RouteRequest);
};

/** Aborted when the answer is out, or when there is nobody left to send it to. */
const signalOfEnd = (res: Response): AbortSignal => {
  const gone = new AbortController();
  if (res.destroyed) {
    gone.abort();
  }
  res.once('close', () => gone.abort());
  return gone.signal;
};

/**
 * The order of judgement inside a service (docs/contract.md section 2): identity, path parameters,
 * kind of caller and scope, entity and company, role, content type and size, query and body, state, handler.
 */
export const handleRequest = async (
  deps: RequestDeps,
  route: Route,
  incoming: Incoming,
): Promise<AnyReply> => {
  const { contract } = route;
  const { access } = contract;
  const standing = access.kind === 'public' ? null : identify(deps, incoming.req);
  if (standing) {
    incoming.onCaller(standing.caller);
  }
  const params = parseParams(contract, incoming.req) as Known['params'];
  if (standing) {
    assertCallerKind(access, standing.caller);
  }
  if (access.kind === 'company' && standing) {
    return handleInCompany(route, incoming, { deps, access, standing, params });
  }
  const confirm = async (): Promise<Caller | null> => {
    const caller = standing && (await confirmed(deps, standing, null));
    if (caller) {
      assertCallerKind(access, caller);
    }
    return caller;
  };
  const rest = await parseRest(contract, incoming);
  const caller = await confirm();
  const stillAllowed = async () => ({ caller: await confirm(), company: null });
  return callHandler(route, incoming, { params, caller, company: null, stillAllowed, ...rest });
};

const confirmed = (deps: RequestDeps, standing: Standing, companyId: CompanyId | null) =>
  confirmCaller({ standing, companyId, recheck: deps.recheckCaller, nowMs: deps.nowMs() });

type InCompany = {
  readonly deps: RequestDeps;
  readonly access: CompanyAccess;
  readonly standing: Standing;
  readonly params: Known['params'];
};

const handleInCompany = async (
  route: Route,
  incoming: Incoming,
  { deps, access, standing, params }: InCompany,
): Promise<AnyReply> => {
  const { owners, parts, agentOfRun } = deps;
  const questionOf = (caller: Caller): CompanyResolutionInput => ({
    access,
    caller: caller as AgentCaller | OperatorCaller,
    params,
    owners,
    parts,
    agentOfRun,
  });
  const question = questionOf(standing.caller);
  const company = await resolveCompany(question);
  /** What holds now: after a wait the caller may have another role, or none. */
  const confirm = async () => {
    const now = questionOf(await confirmed(deps, standing, company.id));
    const isSame = now.caller === question.caller;
    const scope = isSame ? company : await resolveCompany(now);
    const { caller } = now;
    if (!isSame) {
      assertCallerKind(access, caller);
      assertRole({ access, caller, company: scope, params });
    }
    return { caller, company: scope };
  };
  try {
    assertRole({ access, caller: question.caller, company, params });
    await assertOwnRun(question, company);
    const rest = await parseRest(route.contract, incoming);
    const stillAllowed = async () => {
      const now = await confirm();
      assertState({ access, ...now, params }, route.contract.method);
      return now;
    };
    const now = await stillAllowed();
    return await callHandler(route, incoming, { params, ...now, stillAllowed, ...rest });
  } catch (error) {
    if (isRefusal(error)) {
      await assertEntityOwnership(question, company);
    }
    throw error;
  }
};

/**
 * Every refusal yields to the 403 or 404 of the entity, whoever makes it: a handler may well refuse a cursor,
 * a date or a precondition before it has looked for the entity. Only a refusal pays for the lookup. What says
 * nothing about the request (the mode of the instance, overload, an outage, a bug) stays as it is and causes no
 * further query.
 */
const isRefusal = (error: unknown): boolean => {
  const { status, code } = asAppError(error);
  return status < 500 && status !== 429 && code !== 'local_trusted';
};
