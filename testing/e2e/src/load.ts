import { randomUUID } from 'node:crypto';
import { Agent, request, type ClientRequest, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export type LoadOptions = {
  readonly baseUrl: string;
  /** An agent's API key. */
  readonly key: string;
  readonly clients?: number;
  /** Behind a proxy with a certificate of its own: that certificate, and the name in it. */
  readonly tls?: { readonly ca: string; readonly servername: string };
  /** How long a client waits between two requests. */
  readonly pauseMs?: number;
};

/** A request that did not come back as it should have. */
type Failure = {
  readonly method: string;
  readonly path: string;
  /** An HTTP status, or the code of a connection that failed. */
  readonly outcome: number | string;
  readonly retryAfter: string | undefined;
  readonly detail: string;
  /** Whether it was the first request on its connection. */
  readonly isFirst: boolean;
};

/** Writers and readers at work, and what became of their requests. */
export type Load = {
  /** Ids of the notes whose creation was acknowledged. */
  readonly acknowledged: readonly string[];
  readonly failures: readonly Failure[];
  /** The longest time in which no request succeeded. */
  readonly longestSilenceMs: () => number;
  /** Milliseconds from a moment until the first request that was sent after it and succeeded. */
  readonly recovery: (fromMs: number) => Promise<number>;
  /** Lets every client end its request. */
  readonly stop: () => Promise<void>;
};

type Outcome = Omit<Failure, 'method' | 'path'>;
type Call = { readonly method: string; readonly path: string; readonly body?: string };

const recoveryMaxMs = 60_000;

/**
 * Starts clients that create notes and read them back without end, each over one connection that it
 * keeps. Nothing is tried again: every failure is one that a user would have seen.
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

/** One request; a connection that fails is an outcome like any other. */
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
