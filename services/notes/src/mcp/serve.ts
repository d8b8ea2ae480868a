import { addAbortListener } from 'node:events';
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';
import { startChangeEvents } from './change-events.ts';
import { createServer } from './create-server.ts';
import { exchangeDirectly } from './exchange-directly.ts';
import { exchangeAsJson, exchangeBatch, isLegacy, type LegacyExchange } from './exchange-legacy.ts';
import type { McpSession } from './mcp-session.ts';
import { requestOf } from './request-of.ts';
import type { Served } from './served.ts';
import { ofMessage } from './of-message.ts';
import { refuseTooMany, subscribedUris } from './subscribed-uris.ts';
import { tools } from './tools/index.ts';

type ServedRequest = {
  /** The parsed body. */
  readonly body: unknown;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whether the response may be a stream of events. */
  readonly takesEvents: boolean;
  readonly onTool: (name: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Aborted when the process shuts down. */
  readonly closing: AbortSignal;
};

/** Serves requests; its module is loaded late. */
export type Serve = (session: McpSession, served: ServedRequest) => Promise<Served>;

/** Subscriptions end after about this time, so that they spread over newly started processes. */
const lifetimeMs = 5 * 60_000;
const lifetimeSpreadMs = 30_000;

const toolNames = new Set(tools.map(({ definition }) => definition.name));

/** Responds to a request with the SDK, by a server that exists for this request only. */
export const serve: Serve = async (session, served) => {
  const { body, headers, onFailure } = served;
  const newServer = (era: 'legacy' | 'modern', position?: number): Server =>
    createServer({
      session: position === undefined ? session : ofMessage(session, position),
      era,
      onFailure,
      onTool: (name) => toolNames.has(name) && served.onTool(name),
    });
  const direct = await exchangeDirectly({ body, headers, newServer: () => newServer('modern') });
  if (direct) {
    return direct;
  }
  const legacy = await serveLegacy(session, {
    ...served,
    newServer: (at) => newServer('legacy', at),
  });
  if (legacy) {
    return legacy;
  }
  const uris = methodOf(body) === 'subscriptions/listen' ? subscribedUris(body) : null;
  const refusal = uris && refuseTooMany(body, uris);
  if (refusal) {
    return { response: refusal };
  }
  const events = uris && (await startChangeEvents(session, onFailure, uris));
  const handler = createMcpHandler(({ era }) => newServer(era), events ? { bus: events.bus } : {});
  const signal = session.signal();
  if (events) {
    endInTime({ signal, closing: served.closing, stop: events.stop, close: handler.close });
  }
  return { response: await handler.fetch(requestOf(headers, signal), { parsedBody: body }) };
};

/** Batches, and requests of clients that take JSON only. Null: the SDK's HTTP layer serves it. */
const serveLegacy = async (
  session: McpSession,
  { body, headers, takesEvents, newServer }: ServedRequest & Pick<LegacyExchange, 'newServer'>,
): Promise<Served | null> => {
  if ((takesEvents && !Array.isArray(body)) || !isLegacy({ body, headers })) {
    return null;
  }
  const { recheck } = session;
  const exchange = { headers, newServer, recheck, signal: session.signal() };
  return Array.isArray(body)
    ? exchangeBatch({ ...exchange, body })
    : { response: await exchangeAsJson({ ...exchange, body }) };
};

const methodOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;

type Subscription = {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly closing: AbortSignal;
  readonly stop: () => void;
  /** Ends the stream with its result. */
  readonly close: () => Promise<void>;
};

const endInTime = ({ signal, closing, stop, close }: Subscription): void => {
  const end = () => void close();
  const lifetime = setTimeout(end, lifetimeMs + Math.random() * lifetimeSpreadMs);
  const closingListener = addAbortListener(closing, end);
  // Also runs for a signal that is already aborted.
  addAbortListener(signal, () => {
    clearTimeout(lifetime);
    closingListener[Symbol.dispose]();
    stop();
  });
};
