import { createServer } from 'node:net';

/** The processes with metrics, in the order of their ports, METRICS_PORT first. */
export const measuredProcesses = ['gateway', 'auth', 'agents', 'notes'] as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The first of as many free ports in a row as there are processes with metrics. */
export const findMetricsPorts = async (): Promise<number> => {
  for (;;) {
    const first = 10_000 + Math.floor(Math.random() * 10_000);
    const free = await Promise.all(measuredProcesses.map((_, index) => isFree(first + index)));
    if (free.every(Boolean)) {
      return first;
    }
  }
};

/** The metrics of a process as text. */
export const readMetrics = async (
  firstPort: number,
  name: (typeof measuredProcesses)[number],
): Promise<string> => {
  const port = firstPort + measuredProcesses.indexOf(name);
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return response.text();
};

/** The value of the first line that begins with a name; NaN without one. */
export const metricOf = (page: string | undefined, name: string): number => {
  const line = page?.split('\n').find((each) => each.startsWith(name));
  return Number(line?.slice(line.lastIndexOf(' ')) ?? NaN);
};
