import {
  classifyInboundRequest,
  isInitializeRequest,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from '@modelcontextprotocol/server';
import { requestOf } from './request-of.ts';
import type { Served } from './served.ts';

/** A request of a revision before 2026-07-28. */
export type LegacyExchange = {
  readonly body: unknown;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Of one message of a batch, by its position, or of the request. */
  readonly newServer: (position?: number) => Server;
  readonly signal: AbortSignal;
  /** Throws when the caller has lost its access. */
  readonly recheck: () => Promise<unknown>;
};

/** Whether the SDK would serve a request as one of these revisions. */
export const isLegacy = ({ body, headers }: Pick<LegacyExchange, 'body' | 'headers'>): boolean => {
  const header = (name: string) => headers.get(name);
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    protocolVersionHeader: header('mcp-protocol-version'),
    mcpMethodHeader: header('mcp-method'),
    mcpNameHeader: header('mcp-name'),
  } as Parameters<typeof classifyInboundRequest>[0]);
  return kind === 'legacy';
};

/** The response as JSON, which the SDK writes itself: nothing has to be read out of a stream of events. */
export const exchangeAsJson = async ({
  body,
  headers,
  newServer,
  signal,
}: LegacyExchange): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
  });
  const server = newServer();
  await server.connect(transport);
  try {
    return await transport.handleRequest(requestOf(headers, signal), { parsedBody: body });
  } finally {
    await server.close();
  }
};

/**
 * The responses to the messages of a batch, one after another: at once they would be held in memory together. The SDK
 * rejects a batch that is not a list of messages, or that initialises and does something else, as a whole.
 */
export const exchangeBatch = async (
  exchange: LegacyExchange & { readonly body: readonly unknown[] },
): Promise<Served> => {
  const { body } = exchange;
  if (!body.every(isMessage) || body.some(isInitializeRequest) || !body.some(isJSONRPCRequest)) {
    return { response: await exchangeAsJson(exchange) };
  }
  const responses = respond(exchange);
  const first = await responses.next();
  if (first.done === true) {
    throw new Error('A batch with a request has no response');
  }
  // What is wrong with the headers is wrong for every message.
  return first.value.ok ? { messages: textsOf(first.value, responses) } : { response: first.value };
};

const isMessage = (value: unknown): boolean => {
  try {
    return parseJSONRPCMessage(value) !== undefined;
  } catch {
    return false;
  }
};

/** The caller is checked again after this long. */
const recheckAfterMs = 500;

/** The responses to the requests of a batch; notifications have none. */
async function* respond(
  exchange: LegacyExchange & { readonly body: readonly unknown[] },
): AsyncGenerator<Response, void> {
  let checkedAtMs = performance.now();
  for (const [position, body] of exchange.body.entries()) {
    if (performance.now() - checkedAtMs > recheckAfterMs) {
      await exchange.recheck();
      checkedAtMs = performance.now();
    }
    const newServer = () => exchange.newServer(position);
    const response = await exchangeAsJson({ ...exchange, body, newServer });
    if (isJSONRPCRequest(body)) {
      yield response;
    }
  }
}

async function* textsOf(
  first: Response,
  others: AsyncGenerator<Response, void>,
): AsyncGenerator<string, void> {
  yield await first.text();
  for await (const response of others) {
    yield await response.text();
  }
}
