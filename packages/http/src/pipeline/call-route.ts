import { AppError, type RouteContract } from '@commonplace/contracts/core';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { z } from 'zod';
import { assertCallerKind } from './caller-kind.ts';
import { assertRole, assertState } from './company-policy.ts';
import { handleInOrder } from './handle-in-order.ts';
import { parseOrThrow } from './parse-request.ts';
import type { AssertVisible, Owners } from './resolve-company.ts';
import type {
  AnyReply,
  CompanyScope,
  Reply,
  ReplyBody,
  Route,
  RouteRequest,
} from './route-types.ts';
import { workOf, type Work, type WorkLimits } from './work.ts';

type InputOf<Schema> = [NonNullable<Schema>] extends [never]
  ? undefined
  : NonNullable<Schema> extends z.ZodType
    ? z.input<NonNullable<Schema>>
    : undefined;

/** What a call sends: as a request over HTTP, with the query as text. */
type RouteCallInput<Contract extends RouteContract> = {
  readonly params?: InputOf<Contract['params']>;
  readonly query?: InputOf<Contract['query']>;
  readonly body?: InputOf<Contract['body']>;
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Calls a route on behalf of an authorized request, in the process. */
export type CallRoute = <Contract extends RouteContract>(
  contract: Contract,
  input: RouteCallInput<Contract>,
) => Promise<Reply<Contract>>;

/** The request that calls: its caller and company were checked. */
export type CallingRequest = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly company: CompanyScope;
  readonly requestId: string;
  readonly closeSignal: () => AbortSignal;
  readonly work: Pick<
    Work<{ readonly caller: AgentCaller | OperatorCaller; readonly company: CompanyScope }>,
    'recheck'
  >;
  readonly raw: RouteRequest['raw'];
};

/** Creates the function with which a request calls other routes of its service, of the company of the request. */
export const routeCaller = (
  routes: readonly Route[],
  entities: Entities,
): ((request: CallingRequest) => CallRoute) => {
  const byContract = new Map(routes.map((route) => [route.contract, route]));
  return (request) => async (contract, input) => {
    const route = byContract.get(contract);
    if (!route) {
      throw new Error(`${contract.operationId} is no route of this service`);
    }
    return (await call(route, request, { input, ...entities })) as Reply<typeof contract>;
  };
};

/** Who owns the entities of paths, and who sees them; and where the calls wait. */
type Entities = {
  readonly owners: Owners;
  readonly assertVisible: AssertVisible;
  readonly limits?: WorkLimits | undefined;
};

type Call = {
  readonly input: {
    readonly params?: unknown;
    readonly query?: unknown;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
} & Entities;

const call = async (
  { contract, handle }: Route,
  request: CallingRequest,
  { input, owners, assertVisible, limits }: Call,
): Promise<AnyReply> => {
  const { access } = contract;
  if (access.kind !== 'company' || access.company === 'path') {
    throw new Error(`${contract.operationId} is no route of the selected company`);
  }
  const params = contract.params ? parseOrThrow(contract.params, input.params ?? {}, 'path') : {};
  const { caller, company } = request;
  assertCallerKind(access, caller);
  const recheck = async () => {
    const now = await request.work.recheck();
    assertCallerKind(access, now.caller);
    assertRole({ access, ...now, params });
    assertState({ access, ...now, params }, contract.method);
    return now;
  };
  return handleInOrder(
    {
      service: contract.service,
      input: { access, caller, params, owners, parts: {}, agentOfRun: undefined },
      company,
      assertVisible,
    },
    {
      parseRest: async () => ({
        query: contract.query ? parseOrThrow(contract.query, input.query ?? {}, 'query') : {},
        body: contract.body ? parseOrThrow(contract.body, input.body ?? {}, 'body') : {},
      }),
      // Caller and company were checked when the calling request came here.
      assertNow: async () => assertState({ access, caller, company, params }, contract.method),
      handle: (rest) =>
        handle({
          ...request,
          params,
          ...rest,
          access,
          work: workOf(limits, company.id, { recheck, res: request.raw.res }),
          header: (name: string) => input.headers?.[name.toLowerCase()],
        } as unknown as RouteRequest),
    },
  );
};

/** The body of a reply; throws for a reply without one, which is a bug of the caller. */
export const bodyOf = <Contract extends RouteContract>(
  replied: Reply<Contract>,
): NonNullable<ReplyBody<Contract>> => {
  const { status, body } = replied as AnyReply;
  if (body === undefined) {
    throw new AppError('unexpected_failure', undefined, {
      cause: new Error(`A reply with ${status} has no body`),
    });
  }
  return body as never;
};
