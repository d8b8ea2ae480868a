import type { RequestListener } from 'node:http';
import type { ProcessName } from '@commonplace/contracts/core';
import { startTracing, type TracingConfig } from '@commonplace/tracing';
import type { Logger } from './logging/create-log.ts';
import type { OnResponse } from './logging/on-response.ts';
import { serveProcess, type ServeOptions } from './server/serve.ts';

/** The settings that every process has. */
type ProcessConfig = TracingConfig & {
  readonly HOST: string;
  readonly PORT: number;
  readonly METRICS_HOST: string;
  readonly METRICS_PORT?: number | undefined;
};

/** Where a process serves its metrics. */
type MetricsPlace = { readonly host: string; readonly port: number; readonly log: Logger };

export type Process = Pick<
  ServeOptions,
  'log' | 'keepAliveTimeoutMs' | 'serverOptions' | 'configure' | 'onDrain'
> & {
  readonly name: ProcessName;
  readonly config: ProcessConfig;
  /** Serves the metrics. Called only where METRICS_PORT is set, so that prom-client is not loaded elsewhere. */
  readonly startMetrics: (place: MetricsPlace) => Promise<{ readonly onResponse: OnResponse }>;
  readonly createApp: (running: {
    /** Undefined without metrics. */
    readonly onResponse: OnResponse | undefined;
    /** Aborted when shutdown begins. */
    readonly stopping: AbortSignal;
  }) => RequestListener;
  /** Works beside the requests, until the signal. */
  readonly background?: (stopping: AbortSignal) => Promise<void>;
  /** Closes pools, after the last response and the background work. */
  readonly onClose?: () => Promise<void>;
};

/**
 * Runs a process: traces and metrics, then requests, then its background work. It stops on a signal, or with its
 * parent. Resolves when the background work is done; an error of that work ends the process.
 */
export const runProcess = async (options: Process): Promise<void> => {
  const { name, config, log, startMetrics, createApp, background, onDrain, onClose, ...server } =
    options;
  const stopping = new AbortController();
  let working = Promise.resolve();
  const stopTracing = await startTracing(name, config, log);
  const metrics =
    config.METRICS_PORT === undefined
      ? undefined
      : await startMetrics({ host: config.METRICS_HOST, port: config.METRICS_PORT, log });
  await serveProcess({
    ...server,
    app: createApp({ onResponse: metrics?.onResponse, stopping: stopping.signal }),
    host: config.HOST,
    port: config.PORT,
    log,
    onDrain: () => {
      stopping.abort();
      onDrain?.();
    },
    onClose: async () => {
      await working;
      await onClose?.();
      await stopTracing();
    },
  });
  working = background?.(stopping.signal) ?? working;
  await working;
};
