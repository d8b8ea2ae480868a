import { request } from 'node:http';

export type ManyWithheld = {
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Everything but the last byte of each body was sent, or its connection is closed. */
  readonly written: Promise<unknown>;
  /** Ends the connections. */
  readonly end: () => void;
};

export type ManyOptions = {
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connections, each with a body of this size whose last byte is withheld. */
  readonly count: number;
  readonly bytes: number;
  /** Source address of the connections. */
  readonly localAddress?: string;
};

/** Sends many large bodies concurrently, without their last byte. */
export const withholdMany = ({
  baseUrl,
  path,
  headers,
  count,
  bytes,
  localAddress,
}: ManyOptions): ManyWithheld => {
  const sent = Buffer.alloc(bytes - 1, ' ');
  const statuses = new Map<number, number>();
  const written: Promise<void>[] = [];
  const requests = Array.from({ length: count }, () => {
    const req = request(new URL(path, baseUrl), {
      method: 'POST',
      agent: false,
      localAddress,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes },
    });
    req.on('response', (res) => {
      const status = res.statusCode ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      res.resume();
    });
    req.on('error', () => undefined);
    written.push(
      new Promise((resolve) => {
        req.once('close', () => resolve());
        req.write(sent, () => resolve());
      }),
    );
    return req;
  });
  return {
    statuses,
    written: Promise.all(written),
    end: () => requests.forEach((req) => req.destroy()),
  };
};

/** Reads repeatedly while some work runs; returns the p99 in milliseconds. */
export const p99While = async (
  read: () => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<number> => {
  const over = new AbortController();
  const tookMs: number[] = [];
  const reading = (async () => {
    while (!over.signal.aborted) {
      const startedAtMs = performance.now();
      await read();
      tookMs.push(performance.now() - startedAtMs);
    }
  })();
  try {
    await work();
  } finally {
    over.abort();
    await reading;
  }
  const sorted = tookMs.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Infinity;
};
