import { createApi } from './call-api.ts';
import { whenAvailable } from './when-available.ts';

/** Where what waits for changes is opened. */
const changes = '/api/notes/changes';

/** A credential, and a path to request with it: a connection calls the MCP server there, and waits in a subscription. */
export type Waiter = {
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly isConnection?: true;
};

/** An event stream or a long poll: what it received, and when it ended. */
export type Wait = {
  readonly accept: string;
  readonly status: number;
  readonly endedAfterMs: number;
};

export const eventStream = 'text/event-stream';

/** Waits for changes that never come, as a stream and as a long poll; resolves when both are over. */
export const openWaits = async (baseUrl: string, ending: Waiter, endingAtMs: () => number) => {
  const { headers, isConnection } = ending;
  if (isConnection) {
    return { over: subscribe(baseUrl, ending, endingAtMs).then((wait) => [wait]) };
  }
  const api = createApi({ baseUrl, headers });
  const { body } = await whenAvailable(() => api('GET', `${changes}?since=0&wait=0`));
  const { head } = body as { head: number };
  const wait = async (accept: string): Promise<Wait> => {
    const url = `${baseUrl}${changes}?since=${head}&wait=25`;
    const open = () => fetch(url, { headers: { ...headers, accept } });
    // A long poll ends with 503, a stream that begins so has not begun.
    const response = await (accept === eventStream ? whenAvailable(open) : open());
    await response.text().catch(() => undefined);
    const endedAfterMs = Math.round(performance.now() - endingAtMs());
    return { accept, status: response.status, endedAfterMs };
  };
  return { over: Promise.all([wait(eventStream), wait('application/json')]) };
};

/** Subscribes to changes at the MCP server, again while it is unavailable; resolves when the stream is over. */
const subscribe = async (
  baseUrl: string,
  waiter: Waiter,
  endingAtMs: () => number,
): Promise<Wait> => {
  const { status } = await whenAvailable(async () => {
    const response = await requestSubscription(baseUrl, waiter);
    await response.text().catch(() => undefined);
    return response;
  });
  const endedAfterMs = Math.round(performance.now() - endingAtMs());
  return { accept: eventStream, status, endedAfterMs };
};

const requestSubscription = (baseUrl: string, { headers, path }: Waiter): Promise<Response> => {
  const revision = '2026-07-28';
  const method = 'subscriptions/listen';
  const params = {
    notifications: { resourcesListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  return fetch(baseUrl + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
};
