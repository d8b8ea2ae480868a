import autocannon from 'autocannon';

/** What to ask for, and how hard. */
export type Load = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly durationSeconds: number;
};

/** What the server made of it. */
export type LoadFigures = {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
};

const run = async ({ url, headers, connections, durationSeconds }: Load): Promise<LoadFigures> => {
  const result = await autocannon({
    url,
    headers: { ...headers },
    connections,
    duration: durationSeconds,
  });
  return {
    requestsPerSecond: Math.round(result.requests.average),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
};

const rounds = 3;

/** Warms up, then measures three rounds and answers the one of median throughput. */
export const measureLoad = async (load: Load): Promise<LoadFigures> => {
  await run({ ...load, durationSeconds: 2 });
  const figures: LoadFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    figures.push(await run(load));
  }
  const median = figures.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)[1];
  if (!median) {
    throw new Error('No round was measured');
  }
  return median;
};
