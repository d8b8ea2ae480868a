import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@commonplace/embedded-postgres';
import { measuredProcesses } from './metrics.ts';

const rules = join(import.meta.dirname, '../../../infra/monitoring/alerts.yml');
const readySecondsMax = 60;

/** Whether Prometheus and promtool are installed: on Debian, the package `prometheus`. */
export const hasPrometheus = (): boolean =>
  ['prometheus', 'promtool'].every((name) => spawnSync(name, ['--version']).status === 0);

/** A series of a result. */
export type Sample = {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** Starts a Prometheus with the alerts of this repository, which scrapes four processes once a second. */
export const startPrometheus = async (firstMetricsPort: number) => {
  const directory = await mkdtemp(join(tmpdir(), 'commonplace-prometheus-'));
  const port = await findFreePort();
  await cp(rules, join(directory, 'alerts.yml'));
  const config = join(directory, 'prometheus.json');
  await writeFile(config, JSON.stringify(configOf(firstMetricsPort)));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const query = async (expression: string): Promise<readonly Sample[]> => {
    const response = await fetch(
      `${url}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`,
    );
    const { data, error } = (await response.json()) as PrometheusResponse;
    if (!data) {
      throw new Error(`${expression}: ${error}`);
    }
    return data.result.map(({ metric, value: [, value] }) => ({
      labels: metric,
      value: Number(value),
    }));
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  const isReady = await becomesReady(url);
  if (!isReady) {
    await stop();
    throw new Error('Prometheus did not become ready');
  }
  return { query, stop };
};

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

type PrometheusResponse = {
  readonly error?: string;
  readonly data?: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
};

const configOf = (firstPort: number) => ({
  global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
  rule_files: ['alerts.yml'],
  scrape_configs: measuredProcesses.map((name, index) => ({
    job_name: name,
    static_configs: [{ targets: [`127.0.0.1:${firstPort + index}`] }],
  })),
});

const becomesReady = async (url: string): Promise<boolean> => {
  for (let tried = 0; tried < readySecondsMax * 10; tried += 1) {
    const response = await fetch(`${url}/-/ready`).catch(() => null);
    if (response?.ok) {
      return true;
    }
    await sleep(100);
  }
  return false;
};
