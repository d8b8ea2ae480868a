import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer } from '@commonplace/e2e';
import { startTraceCollector } from '@commonplace/testkit';
import { compare, interleave } from '../interleave.ts';
import { medianProcessorUs, readNotes } from '../load/read-notes.ts';
import type { Bench, Measurement } from '../measurement.ts';
import { createEnvironment, type BenchEnvironment } from '../system/environment.ts';
import { removeProduct, startProduct, type Product } from '../system/product.ts';

/** A share of the traces that busy systems keep. */
const samplerRatio = 0.01;

/** Two rounds differ by more than the target allows, so it takes many. */
const rounds = 10;

/** Reads of notes by a product that sends 1 % of its traces, against the same reads of one that sends none. */
export const traces: Measurement = {
  name: 'traces',
  measure: async (bench) => {
    const { product, environment, profile } = bench;
    const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-bench-'));
    await chmod(dataDir, 0o711);
    const collector = await startTraceCollector();
    try {
      const traced = await startProduct(dataDir, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: String(samplerRatio),
      });
      try {
        const variants = {
          traced: readsOf(bench, traced, await createEnvironment(traced)),
          plain: readsOf(bench, product, environment),
        };
        // It has just started, and the other one works already.
        await interleave(profile.warmUpRounds, { traced: variants.traced });
        await interleave(profile.warmUpRounds, variants);
        const figures = await interleave(rounds, variants);
        const received = collector.spans.length;
        if (received === 0) {
          throw new Error('The collector received no span');
        }
        return [
          {
            name: 'read a note with 1 % of the traces sent',
            unit: 'requests/s',
            ...compare(
              figures.traced.map(({ perSecond }) => perSecond),
              figures.plain.map(({ perSecond }) => perSecond),
            ),
            target: { of: 'ratio', is: 'at least', bound: 0.97 },
            note: `the baseline sends no traces; the collector received ${received} spans; processor time a request: gateway and notes ${medianProcessorUs(figures.traced)} µs, baseline ${medianProcessorUs(figures.plain)} µs`,
          },
        ];
      } finally {
        await traced.stop();
      }
    } finally {
      collector.stop();
      await removeProduct(dataDir);
    }
  },
};

const readsOf =
  (bench: Bench, { url, services }: Product, { notePaths, company }: BenchEnvironment) =>
  () =>
    readNotes(bench, {
      url,
      pids: [services.gateway.pid, services.notes.pid],
      notePaths,
      headers: bearer(company.key),
    });
