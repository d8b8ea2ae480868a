import type { IncomingMessage } from 'node:http';
import { AppError, problem, type RouteContract } from '@commonplace/contracts/core';
import { identityHeader, requestIdHeader, type MintIdentity } from '@commonplace/identity';
import type { z } from 'zod';
import { afterReading } from './after-reading.ts';
import { request } from '../server/node-http.ts';
import type { ReplyBody } from '../pipeline/route-types.ts';
import { serviceAgent, type ServiceAgent } from './balanced-agent.ts';

export type ServiceClientOptions = {
  /** Where the service is: one base URL, or several that are equally good. */
  readonly baseUrls: readonly string[];
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
export const serviceClient = (options: ServiceClientOptions) => {
  const agent = serviceAgent(options.baseUrls);
  return async <Contract extends RouteContract>(
    contract: Contract,
    body: BodyOf<Contract>,
    requestId?: string,
  ): Promise<ReplyBody<Contract>> => {
    const { status, answer } = await send(options, contract, { agent, body, requestId });
    const schema = contract.responses[status]?.schema;
    if (!schema) {
      throw asError(contract, status, answer);
    }
    const parsed = schema.safeParse(answer);
    if (!parsed.success) {
      throw new AppError('bad_upstream', undefined, { cause: parsed.error });
    }
    return parsed.data as ReplyBody<Contract>;
  };
};

export type ServiceClient = ReturnType<typeof serviceClient>;

type Question = {
  readonly agent: ServiceAgent;
  readonly body: unknown;
  readonly requestId: string | undefined;
};

type Answer = {
  readonly status: number;
  /** Parsed when it is JSON, else null. */
  readonly answer: unknown;
};

const send = async (
  options: ServiceClientOptions,
  contract: RouteContract,
  { agent, body, requestId }: Question,
): Promise<Answer> => {
  const content = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
    [identityHeader]: options.mintIdentity({ kind: 'service', service: options.self }),
    ...(requestId === undefined ? {} : { [requestIdHeader]: requestId }),
  };
  const url = new URL(contract.path, options.baseUrls[0]);
  const sent = request(url, { method: contract.method.toUpperCase(), agent, headers });
  const limit = limitTime(options.timeoutMs, (late) => sent.destroy(late));
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      agent.observeResponse(response);
      void readAnswer(response).then(resolve, reject);
    });
  });
  sent.end(content);
  try {
    return await Promise.race([answered, limit.passed]);
  } catch (cause) {
    throw new AppError('service_unavailable', undefined, {
      cause,
      headers: { 'Retry-After': '1' },
    });
  } finally {
    limit.clear();
  }
};

const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
  }
  return {
    status: response.statusCode ?? 0,
    answer: parseOrNull(Buffer.concat(chunks).toString('utf8')),
  };
};

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** Fails when no answer was read in time. */
const limitTime = (ms: number, onPassed: (late: Error) => void) => {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const clear = afterReading(ms, () => {
    const late = new Error(`The service did not answer within ${ms} ms`);
    onPassed(late);
    reject(late);
  });
  passed.catch(() => undefined);
  return { passed, clear };
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
