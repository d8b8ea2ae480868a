import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { AppError } from '@commonplace/contracts/core';
import type { callMcpContract } from '@commonplace/contracts/notes';
import type { Reply } from '@commonplace/http';
import { streamHeaders } from '../feed/head-event-stream.ts';
import type { Served } from './served.ts';

type McpReply = Reply<typeof callMcpContract>;

const declaredStatuses: readonly number[] = [200, 202, 400, 404];

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' } as const;

export type ResponseFor = {
  /** Whether the client takes events; otherwise it gets JSON. */
  readonly takesEvents: boolean;
  /** Aborted when the client disconnects. */
  readonly signal: () => AbortSignal;
};

/** The reply for what the SDK made of a request: JSON at once, events as they come. */
export const sendResponse = (
  served: Served,
  options: ResponseFor,
): Promise<McpReply> | McpReply => {
  if ('message' in served) {
    return jsonReply(200, JSON.stringify(served.message));
  }
  return 'messages' in served
    ? batchReply(served.messages, options)
    : relayResponse(served.response, options);
};

/** The messages of a batch as a JSON array or as events, each written when it is there. */
const batchReply = (
  messages: AsyncGenerator<string, void>,
  { takesEvents, signal }: ResponseFor,
): McpReply => {
  const parts = takesEvents ? eventsOf(messages) : arrayOf(messages);
  const headers = takesEvents ? streamHeaders : jsonHeaders;
  return replyOf(200, headers, (res) => void pump(parts, res, signal()));
};

/** Events as the SDK writes them: JSON has no line breaks. */
async function* eventsOf(messages: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const message of messages) {
    yield `event: message\ndata: ${message}\n\n`;
  }
}

async function* arrayOf(messages: AsyncIterable<string>): AsyncGenerator<string, void> {
  let separator = '[';
  for await (const message of messages) {
    yield `${separator}${message}`;
    separator = ',';
  }
  yield ']';
}

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
  if (!takesEvents) {
    throw new Error('A client that takes JSON only got a stream');
  }
  return replyOf(status, streamHeaders, (res) => void pump(body, res, signal()));
};

const jsonReply = (status: number, json: string): McpReply => {
  const body = Buffer.from(json);
  const headers = {
    ...jsonHeaders,
    'Content-Length': String(body.length),
    // As with problems, which these statuses have too.
    ...(status < 400 ? {} : { 'Cache-Control': 'no-store' }),
  };
  return replyOf(status, headers, (res) => void res.end(body));
};

/** The status is one of those declared: it was checked. */
const replyOf = (
  status: number,
  headers: Readonly<Record<string, string>>,
  stream: (res: ServerResponse) => void,
): McpReply => ({ status, headers, stream }) as McpReply;

/** Writes events as fast as the client reads them. */
const pump = async (
  body: AsyncIterable<Uint8Array | string>,
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
