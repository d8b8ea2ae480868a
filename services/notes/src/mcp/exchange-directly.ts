import {
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { Served } from './served.ts';

export const modernRevision = '2026-07-28';

const classification = { era: 'modern', revision: modernRevision } as const;

/** Methods that agents call again and again. */
const frequentMethods: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list']);

type Exchange = {
  readonly body: unknown;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly newServer: () => Server;
};

/** Passes on a result without a web `Response` around it. All else it sends as the SDK does. */
class DirectTransport extends PerRequestHTTPServerTransport {
  readonly result = Promise.withResolvers<JSONRPCMessage>();
  hasSent = false;

  override send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isFirst = !this.hasSent;
    this.hasSent = true;
    if (isFirst && 'result' in message) {
      this.result.resolve(message);
      return Promise.resolve();
    }
    return super.send(message, options);
  }
}

/**
 * The response to a frequent request in the exact form of 2026-07-28, by the server of the SDK without its HTTP layer,
 * whose web `Request` and `Response` cost as much as all the rest. Errors and streams, which are rare, keep their
 * `Response`. Null: the request has another form, or the server rejects it before a handler runs; then the SDK's HTTP
 * layer decides.
 */
export const exchangeDirectly = async ({
  body,
  headers,
  newServer,
}: Exchange): Promise<Served | null> => {
  if (!isExact(body, headers)) {
    return null;
  }
  const transport = new DirectTransport({ classification });
  await newServer().connect(transport);
  const response = transport.handleMessage(body);
  // What is sent before any handler can run is a rejection.
  return transport.hasSent
    ? null
    : Promise.race([
        transport.result.promise.then((message) => ({ message })),
        response.then((made) => ({ response: made })),
      ]);
};

/** Whether the headers repeat the body, letter by letter. */
const isExact = (body: unknown, headers: ReadonlyMap<string, string>): body is JSONRPCRequest => {
  if (typeof body !== 'object' || body === null || !('method' in body) || !('params' in body)) {
    return false;
  }
  const { method } = body;
  const id = 'id' in body ? body.id : undefined;
  const params = body.params as Readonly<Record<string, unknown>> | null;
  const meta = params?.['_meta'] as Readonly<Record<string, unknown>> | null | undefined;
  const name = method === 'tools/call' ? params?.['name'] : headers.get('mcp-name');
  return (
    'jsonrpc' in body &&
    body.jsonrpc === '2.0' &&
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    frequentMethods.has(method) &&
    meta?.[PROTOCOL_VERSION_META_KEY] === modernRevision &&
    headers.get('mcp-protocol-version') === modernRevision &&
    headers.get('mcp-method') === method &&
    headers.get('mcp-name') === name &&
    !String(name).startsWith('=?')
  );
};
