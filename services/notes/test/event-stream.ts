import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '@commonplace/identity';
import { identityHeaders } from '@commonplace/testkit';

export type EventStream = {
  readonly status: number;
  readonly contentType: string | null;
  /** Resolves with all that has come when it matches; rejects when the stream ends without. */
  readonly until: (pattern: RegExp) => Promise<string>;
  /** Resolves when the other side ends the stream. */
  readonly ended: () => Promise<void>;
  readonly close: () => void;
};

/** Serves an application on a port of its own, for what supertest cannot wait for: streams. */
export const serveStreams = async (app: RequestListener) => {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const open = async (
    caller: Caller,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<EventStream> => {
    const leaving = new AbortController();
    const response = await fetch(origin + path, {
      headers: { ...identityHeaders(caller), accept: 'text/event-stream', ...headers },
      signal: leaving.signal,
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      ...readerOf(response),
      close: () => leaving.abort(),
    };
  };

  return {
    origin,
    open,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

const readerOf = (response: Response) => {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const decoder = new TextDecoder();
  let text = '';
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: true });
    return !done;
  };
  return {
    until: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(text)) {
        if (!(await more())) {
          throw new Error(`The stream ended after ${JSON.stringify(text)}`);
        }
      }
      return text;
    },
    ended: async (): Promise<void> => {
      let isOpen = true;
      while (isOpen) {
        isOpen = await more();
      }
    },
  };
};
