import { addAbortListener } from 'node:events';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { startChangeEvents } from './change-events.ts';
import { createServer } from './create-server.ts';
import type { McpSession } from './mcp-session.ts';
import { tools } from './tools/index.ts';

export type ServedRequest = {
  /** The parsed body. */
  readonly body: unknown;
  readonly headers: Headers;
  readonly onTool: (name: string) => void;
  readonly onFailure: (error: unknown) => void;
  /** Aborted when the process shuts down. */
  readonly closing: AbortSignal;
};

/** Subscriptions end after about this time, so that they spread over newly started processes. */
const lifetimeMs = 5 * 60_000;
const lifetimeSpreadMs = 30_000;

const toolNames = new Set(tools.map(({ definition }) => definition.name));

/** Responds to a request with the SDK, by a server that exists for this request only. */
export const serve = async (session: McpSession, served: ServedRequest): Promise<Response> => {
  const { body, onFailure } = served;
  const isSubscription = methodOf(body) === 'subscriptions/listen';
  const events = isSubscription ? await startChangeEvents(session, onFailure) : null;
  const handler = createMcpHandler(
    ({ era }) =>
      createServer({
        session,
        era,
        onFailure,
        onTool: (name) => toolNames.has(name) && served.onTool(name),
      }),
    events ? { bus: events.bus } : {},
  );
  if (events) {
    endInTime({ session, closing: served.closing, stop: events.stop, close: handler.close });
  }
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: served.headers,
    signal: session.signal,
  });
  return handler.fetch(request, { parsedBody: body });
};

const methodOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined;

type Subscription = {
  readonly session: McpSession;
  readonly closing: AbortSignal;
  readonly stop: () => void;
  /** Ends the stream with its result. */
  readonly close: () => Promise<void>;
};

const endInTime = ({ session, closing, stop, close }: Subscription): void => {
  const end = () => void close();
  const lifetime = setTimeout(end, lifetimeMs + Math.random() * lifetimeSpreadMs);
  const closingListener = addAbortListener(closing, end);
  // Also runs for a signal that is already aborted.
  addAbortListener(session.signal, () => {
    clearTimeout(lifetime);
    closingListener[Symbol.dispose]();
    stop();
  });
};
