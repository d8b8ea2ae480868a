import { AppError, problem, type RouteContract } from '@commonplace/contracts';
import { identityHeader, requestIdHeader, type MintIdentity } from '@commonplace/identity';
import type { z } from 'zod';
import type { ReplyBody } from './route-types.ts';

export type ServiceClientOptions = {
  readonly baseUrl: string;
  readonly self: 'gateway' | 'auth' | 'agents' | 'notes';
  readonly mintIdentity: MintIdentity;
  readonly timeoutMs: number;
};

/** What the body of a contract may hold before it is parsed. */
type BodyOf<Contract extends RouteContract> =
  NonNullable<Contract['body']> extends z.ZodType ? z.input<NonNullable<Contract['body']>> : never;

/**
 * Makes the function that calls internal routes of one service, typed by their contracts.
 * Answers of 400 and above come back as AppErrors with the problem's own code; no answer in time is
 * 503, so that callers fail closed.
 */
export const serviceClient =
  (options: ServiceClientOptions) =>
  async <Contract extends RouteContract>(
    contract: Contract,
    body: BodyOf<Contract>,
    requestId?: string,
  ): Promise<ReplyBody<Contract>> => {
    const response = await send(options, contract, { body, requestId });
    const answer: unknown = await response.json().catch(() => null);
    const schema = contract.responses[response.status]?.schema;
    if (!schema) {
      throw asError(contract, response.status, answer);
    }
    const parsed = schema.safeParse(answer);
    if (!parsed.success) {
      throw new AppError('bad_upstream', undefined, { cause: parsed.error });
    }
    return parsed.data as ReplyBody<Contract>;
  };

export type ServiceClient = ReturnType<typeof serviceClient>;

const send = async (
  options: ServiceClientOptions,
  contract: RouteContract,
  request: { readonly body: unknown; readonly requestId: string | undefined },
): Promise<Response> => {
  try {
    return await fetch(options.baseUrl + contract.path, {
      method: contract.method.toUpperCase(),
      headers: {
        'content-type': 'application/json',
        [identityHeader]: options.mintIdentity({ kind: 'service', service: options.self }),
        ...(request.requestId === undefined ? {} : { [requestIdHeader]: request.requestId }),
      },
      body: JSON.stringify(request.body),
      signal: signalAfter(options.timeoutMs),
    });
  } catch (cause) {
    throw new AppError('service_unavailable', undefined, {
      cause,
      headers: { 'Retry-After': '1' },
    });
  }
};

/**
 * Aborts after a time, as `AbortSignal.timeout` does, but not before what arrived meanwhile was read:
 * a process that was busy itself must not call the other one late.
 */
const signalAfter = (ms: number): AbortSignal => {
  const late = new AbortController();
  const abort = () =>
    late.abort(new DOMException('The service did not answer in time', 'TimeoutError'));
  setTimeout(() => setImmediate(abort), ms).unref();
  return late.signal;
};

/** Keeps the code of a problem that the route declares; everything else is "unavailable". */
const asError = (contract: RouteContract, status: number, answer: unknown): AppError => {
  const given = problem.safeParse(answer);
  if (given.success && contract.errors.includes(given.data.code)) {
    return new AppError(given.data.code, given.data.detail);
  }
  return new AppError('service_unavailable', undefined, {
    cause: new Error(`${contract.operationId} answered ${status}`),
    headers: { 'Retry-After': '1' },
  });
};
