import {
  PerRequestHTTPServerTransport,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
} from '@modelcontextprotocol/server';

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

/** Passes on what the server sends, without a web `Response` around it. */
class DirectTransport extends PerRequestHTTPServerTransport {
  readonly sent = Promise.withResolvers<JSONRPCMessage>();
  hasSent = false;

  override send(message: JSONRPCMessage): Promise<void> {
    this.hasSent = true;
    this.sent.resolve(message);
    return Promise.resolve();
  }
}

/**
 * The response to a frequent request in the exact form of 2026-07-28, by the server of the SDK without its HTTP layer,
 * whose web `Request` and `Response` cost as much as all the rest. Null: the request has another form, or the server
 * rejects it before a handler runs; then the SDK's HTTP layer decides.
 */
export const exchangeDirectly = async ({
  body,
  headers,
  newServer,
}: Exchange): Promise<JSONRPCMessage | null> => {
  if (!isExact(body, headers)) {
    return null;
  }
  const transport = new DirectTransport({ classification });
  await newServer().connect(transport);
  transport.onmessage?.(body, { classification });
  // What is sent before any handler can run is a rejection.
  return transport.hasSent ? null : transport.sent.promise;
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
