import { randomUUID } from 'node:crypto';
import { Agent, request, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export type LoadOptions = {
  readonly baseUrl: string;
  /** An agent's API key. */
  readonly key: string;
  readonly clients?: number;
  /** The certificate of a TLS proxy in front, and the name in it. */
  readonly tls?: { readonly ca: string; readonly servername: string };
  /** Pause between two requests of a client. */
  readonly pauseMs?: number;
};

/** A request with an unexpected outcome. */
type Failure = {
  readonly method: string;
  readonly path: string;
  /** An HTTP status, or the error code of the connection. */
  readonly outcome: number | string;
  readonly retryAfter: string | undefined;
  readonly detail: string;
  /** Whether it was the first request on its connection. */
  readonly isFirst: boolean;
};

/** Running writers and readers, and the outcomes of their requests. */
export type Load = {
  /** Ids of the notes whose creation was acknowledged. */
  readonly acknowledged: readonly string[];
  readonly failures: readonly Failure[];
  /** The longest time in which no request succeeded. */
  readonly longestSilenceMs: () => number;
  /** Milliseconds from a time until the first success of a request sent after it. */
  readonly recovery: (fromMs: number) => Promise<number>;
  /** Stops the clients after their current requests. */
  readonly stop: () => Promise<void>;
};

type Outcome = Omit<Failure, 'method' | 'path'>;
type Call = { readonly method: string; readonly path: string; readonly body?: string };

const recoveryMaxMs = 60_000;

/**
 * Starts clients that create notes and read them back in a loop, each over one persistent
 * connection. Nothing is retried, so every failure is one that a user would see.
 */
export const startLoad = (options: LoadOptions): Load => {
  const { clients = 8, pauseMs = 5, tls } = options;
  const over = new AbortController();
  const acknowledged: string[] = [];
  const failures: Failure[] = [];
  const successes: Successes = { sentAtMs: 0, respondedAtMs: performance.now(), silenceMs: 0 };

  const attempt = async (agent: Agent, call: Call, expected: number): Promise<boolean> => {
    const sentAtMs = performance.now();
    const result = await send(options, agent, call);
    if (result.outcome === expected) {
      successes.sentAtMs = Math.max(successes.sentAtMs, sentAtMs);
      const nowMs = performance.now();
      successes.silenceMs = Math.max(successes.silenceMs, nowMs - successes.respondedAtMs);
      successes.respondedAtMs = nowMs;
      return true;
    }
    failures.push({ method: call.method, path: call.path, ...result });
    return false;
  };
  const client = async () => {
    const kept = { keepAlive: true, maxSockets: 1 };
    const agent = tls ? new TlsAgent({ ...kept, ...tls }) : new Agent(kept);
    while (!over.signal.aborted) {
      const id = randomUUID();
      const path = `/api/notes/${id}`;
      const body = JSON.stringify({ title: id, content: `Written under load: ${id}` });
      if (await attempt(agent, { method: 'PUT', path, body }, 201)) {
        acknowledged.push(id);
        await attempt(agent, { method: 'GET', path }, 200);
      }
      await sleep(pauseMs);
    }
    agent.destroy();
  };
  const working = Promise.all(Array.from({ length: clients }, client));

  return {
    acknowledged,
    failures,
    longestSilenceMs: () => successes.silenceMs,
    recovery: (fromMs) => firstSuccess(successes, fromMs),
    stop: async () => {
      over.abort();
      await working;
    },
  };
};

type Successes = { sentAtMs: number; respondedAtMs: number; silenceMs: number };

const firstSuccess = async (successes: Successes, fromMs: number): Promise<number> => {
  while (successes.sentAtMs < fromMs && performance.now() - fromMs < recoveryMaxMs) {
    await sleep(5);
  }
  return successes.sentAtMs < fromMs ? Infinity : successes.respondedAtMs - fromMs;
};

/** Sends one request; a failed connection is an outcome too. */
const send = (options: LoadOptions, agent: Agent, { method, path, body }: Call): Promise<Outcome> =>
  new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${options.key}`,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    const send = (parts: RequestOptions) => (options.tls ? tlsRequest : request)(url, parts);
    const url = options.baseUrl + path;
    const sent = send({ method, agent, headers }).once('response', (res) => {
      let detail = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (detail += chunk));
      const retryAfter = res.headers['retry-after'];
      res.once('end', () => {
        resolve({ outcome: res.statusCode ?? 0, retryAfter, detail, isFirst: !sent.reusedSocket });
      });
      res.once('error', (error) => resolve(failed(error, sent)));
    });
    sent.once('error', (error) => resolve(failed(error, sent)));
    sent.end(body);
  });

const failed = (error: NodeJS.ErrnoException, { reusedSocket }: ClientRequest): Outcome => ({
  outcome: error.code ?? 'failed',
  retryAfter: undefined,
  detail: error.message,
  isFirst: !reusedSocket,
});
