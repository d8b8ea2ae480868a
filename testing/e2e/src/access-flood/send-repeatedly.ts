import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as a client of a flood sends it. */
export type SentRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type LoadClient = {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  /** Source address of the clients. */
  readonly localAddress: string;
  /** Requests that have no response at the end are abandoned, and counted as `unfinished`. */
  readonly endsInTime?: boolean;
  /** What a client waits between two requests. */
  readonly pauseMs?: number;
  /** The request of client number i, created for every request. */
  readonly next: (client: number) => SentRequest;
};

export type Figures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
};

/** Sends requests sequentially from several clients and returns the latencies. */
export const sendRepeatedly = async (loadClient: LoadClient): Promise<Figures> => {
  const { clients, seconds, localAddress, pauseMs = 0, endsInTime = false } = loadClient;
  const agent = new Agent({ keepAlive: true, maxSockets: clients, localAddress });
  const durationsMs: number[] = [];
  const statuses: Record<string, number> = {};
  const until = performance.now() + seconds * 1000;
  const end = setTimeout(() => endsInTime && agent.destroy(), seconds * 1000);
  const client = async (index: number) => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const outcome = await sendOnce(loadClient, agent, index);
      const isAbandoned = endsInTime && performance.now() >= until;
      const status = isAbandoned ? 'unfinished' : outcome;
      durationsMs.push(performance.now() - startedAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (pauseMs > 0) {
        await sleep(pauseMs);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_unused, index) => client(index)));
  clearTimeout(end);
  agent.destroy();
  durationsMs.sort((a, b) => a - b);
  const at = (share: number) => durationsMs[Math.floor(durationsMs.length * share)] ?? 0;
  return {
    perSecond: durationsMs.length / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    statuses,
  };
};

const sendOnce = ({ url, next }: LoadClient, agent: Agent, client: number): Promise<string> =>
  new Promise((resolve) => {
    const { method, path, headers, body } = next(client);
    const sent = request(url + path, { method, agent, headers }, (res) => {
      res.resume();
      res.once('end', () => resolve(String(res.statusCode)));
      res.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
    sent.end(body);
  });
