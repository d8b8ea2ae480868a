import type { IncomingMessage } from 'node:http';
import {
  AppError,
  problem,
  type ProcessName,
  type RouteContract,
} from '@commonplace/contracts/core';
import { identityHeader, requestIdHeader, type MintIdentity } from '@commonplace/identity';
import { activeSpan, inSpan, SpanKind, traceparentOf } from '@commonplace/tracing';
import type { z } from 'zod';
import { afterReading } from './after-reading.ts';
import { request } from '../server/node-http.ts';
import type { ReplyBody } from '../pipeline/route-types.ts';
import { serviceAgent, type ServiceAgent } from './balanced-agent.ts';

export type ServiceClientOptions = {
  /** One base URL of the service, or several equivalent ones. */
  readonly baseUrls: readonly string[];
  readonly self: ProcessName;
  readonly mintIdentity: MintIdentity;
  readonly timeoutMs: number;
};

/** The input of the body schema of a contract. */
type BodyOf<Contract extends RouteContract> =
  NonNullable<Contract['body']> extends z.ZodType ? z.input<NonNullable<Contract['body']>> : never;

/**
 * Creates the function that calls internal routes of one service, typed by their contracts. Responses of 400 and
 * above become AppErrors with the code of the problem. A timeout is 503, so that callers fail closed.
 */
export const serviceClient = (options: ServiceClientOptions) => {
  const agent = serviceAgent(options.baseUrls);
  return async <Contract extends RouteContract>(
    contract: Contract,
    body: BodyOf<Contract>,
    requestId?: string,
  ): Promise<ReplyBody<Contract>> => {
    const { status, content } = await inSpan(
      contract.operationId,
      () => send(options, contract, { agent, body, requestId }),
      clientSpan,
    );
    const schema = contract.responses[status]?.schema;
    if (!schema) {
      throw asError(contract, status, content);
    }
    const parsed = schema.safeParse(content);
    if (!parsed.success) {
      throw new AppError('bad_upstream', undefined, { cause: parsed.error });
    }
    return parsed.data as ReplyBody<Contract>;
  };
};

const clientSpan = { kind: SpanKind.CLIENT };

export type ServiceClient = ReturnType<typeof serviceClient>;

type Call = {
  readonly agent: ServiceAgent;
  readonly body: unknown;
  readonly requestId: string | undefined;
};

type ServiceResponse = {
  readonly status: number;
  /** Parsed when it is JSON, else null. */
  readonly content: unknown;
};

const send = async (
  options: ServiceClientOptions,
  contract: RouteContract,
  { agent, body, requestId }: Call,
): Promise<ServiceResponse> => {
  const content = JSON.stringify(body);
  const traceparent = traceparentOf(activeSpan());
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
    [identityHeader]: options.mintIdentity({ kind: 'service', service: options.self }),
    ...(requestId === undefined ? {} : { [requestIdHeader]: requestId }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
  const url = new URL(contract.path, options.baseUrls[0]);
  const sent = request(url, { method: contract.method.toUpperCase(), agent, headers });
  const timeout = startTimeout(options.timeoutMs, (late) => sent.destroy(late));
  const responded = new Promise<ServiceResponse>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      agent.observeResponse(response);
      void readResponse(response).then(resolve, reject);
    });
  });
  sent.end(content);
  try {
    return await Promise.race([responded, timeout.passed]);
  } catch (cause) {
    throw new AppError('service_unavailable', undefined, {
      cause,
    });
  } finally {
    timeout.clear();
  }
};

const readResponse = async (response: IncomingMessage): Promise<ServiceResponse> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
  }
  return {
    status: response.statusCode ?? 0,
    content: parseOrNull(Buffer.concat(chunks).toString('utf8')),
  };
};

const parseOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

/** Fails when no response is read in time. */
const startTimeout = (ms: number, onPassed: (late: Error) => void) => {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  const clear = afterReading(ms, () => {
    const late = new Error(`The service did not respond within ${ms} ms`);
    onPassed(late);
    reject(late);
  });
  passed.catch(() => undefined);
  return { passed, clear };
};

/** Keeps a code that the contract declares; every other one becomes `service_unavailable`. */
const asError = (contract: RouteContract, status: number, content: unknown): AppError => {
  const given = problem.safeParse(content);
  if (given.success && contract.errors.includes(given.data.code)) {
    return new AppError(given.data.code, given.data.detail);
  }
  return new AppError('service_unavailable', undefined, {
    cause: new Error(`${contract.operationId} responded with ${status}`),
  });
};
