import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts/core';
import type { callMcpContract } from '@commonplace/contracts/notes';
import type { Reply } from '@commonplace/http';
import type { Served } from './served.ts';

type McpReply = Reply<typeof callMcpContract>;

const declaredStatuses: readonly number[] = [200, 202, 400, 404];

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  // Without it nginx and similar proxies buffer events.
  'X-Accel-Buffering': 'no',
} as const;

export type ResponseFor = {
  /** Otherwise the events of a response that ends by itself are sent as JSON. */
  readonly takesEvents: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
};

/** The reply for what the SDK made of a request: JSON at once, events as they come. */
export const sendResponse = (served: Served, options: ResponseFor): Promise<McpReply> | McpReply =>
  'message' in served
    ? jsonReply(200, JSON.stringify(served.message))
    : relayResponse(served.response, options);

const relayResponse = async (
  response: Response,
  { takesEvents, signal }: ResponseFor,
): Promise<McpReply> => {
  const { body, headers } = response;
  const { status } = response;
  if (!declaredStatuses.includes(status)) {
    throw new AppError('unexpected_failure', undefined, {
      cause: new Error(`The MCP server responded with ${status}: ${await response.text()}`),
    });
  }
  if (body === null) {
    return replyOf(status, {}, (res) => void res.end());
  }
  if (headers.get('content-type')?.includes('text/event-stream') !== true) {
    return jsonReply(status, await response.text());
  }
  return takesEvents
    ? replyOf(status, streamHeaders, (res) => void pump(body, res, signal()))
    : jsonReply(status, messagesOf(await response.text()));
};

const jsonReply = (status: number, json: string): McpReply => {
  const body = Buffer.from(json);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    // As with problems, which these statuses have too.
    ...(status < 400 ? {} : { 'Cache-Control': 'no-store' }),
  };
  return replyOf(status, headers, (res) => void res.end(body));
};

/** The messages of events as one JSON text. */
const messagesOf = (events: string): string => {
  const messages = [...events.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => data);
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(',')}]`;
};

/** The status is one of those declared: it was checked. */
const replyOf = (
  status: number,
  headers: Readonly<Record<string, string>>,
  stream: (res: ServerResponse) => void,
): McpReply => ({ status, headers, stream }) as McpReply;

/** Writes events as fast as the client reads them. */
const pump = async (
  body: ReadableStream<Uint8Array>,
  res: ServerResponse,
  signal: AbortSignal,
): Promise<void> => {
  try {
    for await (const chunk of body) {
      if (!res.write(chunk)) {
        await once(res, 'drain', { signal });
      }
    }
    res.end();
  } catch {
    res.destroy();
  }
};
