import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTraceCollector, type TraceCollector } from '@commonplace/testkit';
import { startHostileCollector } from './hostile-collector.ts';
import {
  activeSpan,
  inSpan,
  spanCounts,
  SpanKind,
  startSpan,
  startTrace,
  startTracing,
  traceparentOf,
  withFirstSpan,
  withoutSpan,
  withSpan,
  type TracingConfig,
} from '../src/index.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentOf = (flags: string) => `00-${traceId}-b7ad6b7169203331-${flags}`;
/** Those since the last start: one that was stopped may still report. */
let warnings: string[] = [];
const logTo = (messages: string[]) => ({
  info: () => undefined,
  warn: (_fields: object, message: string) => void messages.push(message),
});

let collector: TraceCollector;
let stop: () => Promise<void>;

const start = async (changes: Partial<TracingConfig> = {}) => {
  warnings = [];
  stop = await startTracing(
    'gateway',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: '',
      OTEL_EXPORTER_OTLP_TIMEOUT: 10_000,
      OTEL_SERVICE_NAME: 'test',
      OTEL_RESOURCE_ATTRIBUTES: '',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
      ...changes,
    },
    logTo(warnings),
  );
};

beforeEach(async () => {
  collector = await startTraceCollector();
  stop = () => Promise.resolve();
});
afterEach(async () => {
  await stop();
  collector.stop();
});

const server = (traceparent?: string) =>
  ({ kind: SpanKind.SERVER, traceparent, decides: 'sampler' }) as const;

/** The span of a service, whose caller has decided. */
const continueTrace = (name: string, traceparent: string) =>
  startTrace(name, { kind: SpanKind.SERVER, traceparent, decides: 'caller' });

describe('without an endpoint', () => {
  it('no span is recorded, and work runs as it is', async () => {
    const request = startTrace('request', server());
    expect(request.isRecording()).toBe(false);
    expect(continueTrace('handler', parentOf('01')).isRecording()).toBe(false);
    expect(startSpan('read').isRecording()).toBe(false);
    expect(activeSpan().isRecording()).toBe(false);
    expect(withSpan(request, () => 7)).toBe(7);
    expect(withoutSpan(() => 7)).toBe(7);
    expect(await inSpan('read', () => Promise.resolve(7))).toBe(7);
  });

  it('the trace of a caller goes on as it came, and without one there is none', () => {
    expect(traceparentOf(startTrace('request', server(parentOf('01'))))).toBe(parentOf('01'));
    expect(traceparentOf(startTrace('request', server(parentOf('00'))))).toBe(parentOf('00'));
    expect(traceparentOf(startTrace('request', server('garbage')))).toBeUndefined();
    expect(traceparentOf(startTrace('request', server()))).toBeUndefined();
  });

  it('of OpenTelemetry only the API is loaded', async () => {
    const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      const loaded = [];
      (await import('node:module')).registerHooks({
        resolve: (specifier, context, next) => {
          loaded.push(specifier);
          return next(specifier, context);
        },
      });
      const { startTracing } = await import(${url('../src/index.ts')});
      await startTracing('gateway', {}, console);
      console.log(JSON.stringify(loaded));`;
    const args = ['--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const loaded = JSON.parse(stdout) as string[];
    expect(loaded.length).toBeGreaterThan(2);
    const ofOthers = loaded.filter((name) => name.startsWith('@opentelemetry/'));
    expect(new Set(ofOthers)).toEqual(new Set(['@opentelemetry/api']));
  });
});

describe('the sampler', () => {
  it.each([
    ['parentbased_always_on', undefined, true],
    ['parentbased_always_on', '01', true],
    ['parentbased_always_on', '00', false],
    ['parentbased_always_off', '01', true],
    ['parentbased_always_off', undefined, false],
    ['always_on', '00', true],
    ['always_off', '01', false],
    ['traceidratio', '01', false],
    ['parentbased_traceidratio', '01', true],
  ] as const)(
    '%s with the flags %s of its caller records: %s',
    async (sampler, flags, isRecorded) => {
      await start({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: 0 });
      const span = startTrace('request', server(flags && parentOf(flags)));
      expect(span.isRecording()).toBe(isRecorded);
      expect(flags === undefined || span.spanContext().traceId === traceId).toBe(true);
    },
  );

  it('by trace id records the configured share', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.5 });
    const recorded = Array.from({ length: 2_000 }, () => startTrace('request', server()));
    const count = recorded.filter((span) => span.isRecording()).length;
    expect(count).toBeGreaterThan(800);
    expect(count).toBeLessThan(1_200);
  });

  it('by trace id records that share also of an id that a client chose, and services follow', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 0.5 });
    // By its id alone the first would always be recorded, and the second never.
    for (const chosen of ['00000001000000010000000100000001', 'ffffffff000000000000000000000001']) {
      const traceparent = `00-${chosen}-b7ad6b7169203331-01`;
      const requests = Array.from({ length: 2_000 }, () =>
        startTrace('request', server(traceparent)),
      );
      const recorded = requests.filter((span) => span.isRecording());
      expect(recorded.length).toBeGreaterThan(800);
      expect(recorded.length).toBeLessThan(1_200);
      const followed = requests.map((span) => continueTrace('handler', traceparentOf(span) ?? ''));
      expect(followed.map((span) => span.isRecording())).toEqual(
        requests.map((span) => span.isRecording()),
      );
      expect(new Set(requests.map((span) => span.spanContext().traceId))).toEqual(
        new Set([chosen]),
      );
    }
  });

  it('decides in the gateway only, and services follow', async () => {
    await start({ OTEL_TRACES_SAMPLER: 'always_off' });
    const request = startTrace('request', server(parentOf('01')));
    expect(traceparentOf(request)).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    const followed = continueTrace('handler', parentOf('01'));
    expect([followed.isRecording(), followed.spanContext().traceId]).toEqual([true, traceId]);
    await stop();
    await start({ OTEL_TRACES_SAMPLER: 'always_on' });
    expect(continueTrace('handler', parentOf('00')).isRecording()).toBe(false);
    expect(continueTrace('handler', 'garbage').isRecording()).toBe(false);
  });
});

describe('a span', () => {
  it('has the code of an error, and never its message', async () => {
    await start();
    const request = startTrace('request', server());
    const failing = () => Promise.reject(Object.assign(new Error('a note'), { code: '23505' }));
    await expect(withSpan(request, () => inSpan('transaction', failing))).rejects.toThrow('a note');
    request.end();
    const span = await collector.waitFor((all) => all.find(({ name }) => name === 'transaction'));
    expect(span).toMatchObject({ isError: true, attributes: { 'error.type': '23505' } });
    expect(Buffer.concat(collector.bodies).includes('a note')).toBe(false);
  });

  it('that has ended has no more children, whatever goes on in its name', async () => {
    await start();
    const request = startTrace('request', server());
    withSpan(request, () => {
      expect(startSpan('read').isRecording()).toBe(true);
      request.end();
      expect(startSpan('read').isRecording()).toBe(false);
      expect(traceparentOf(activeSpan())).toBeUndefined();
    });
  });

  it('of a request that is not recorded leaves nothing to those of the request it begins in', async () => {
    await start();
    const before = startTrace('request', server());
    const next = startTrace('request', server(parentOf('00')));
    withSpan(before, () => {
      expect(withFirstSpan(next, () => startSpan('read').isRecording())).toBe(false);
      expect(withFirstSpan(before, () => startSpan('read').isRecording())).toBe(true);
      expect(startSpan('read').isRecording()).toBe(true);
    });
  });

  it('has at most 200 descendants in its process', async () => {
    await start();
    const request = startTrace('request', server());
    const started = withSpan(request, () => Array.from({ length: 300 }, () => startSpan('read')));
    expect(started.filter((span) => span.isRecording())).toHaveLength(200);
  });
});

describe('a collector', () => {
  it('that stalls gets a bounded number of spans later; the others are dropped', async () => {
    await start();
    const before = { ...spanCounts };
    const goOn = collector.stall();
    for (let count = 0; count < 20_000; count += 1) {
      startTrace('request', server()).end();
    }
    await collector.waitFor(() => collector.bodies.length || undefined);
    goOn();
    await stop();
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(collector.spans.length).toBeLessThanOrEqual(2_048 + 512);
    // Each is counted as one or the other in the end, on a slow machine later than `stop` ends.
    const counted = () => [spanCounts.sent - before.sent, spanCounts.lost - before.lost] as const;
    await collector.waitFor(() => counted()[0] + counted()[1] === 20_000 || undefined);
    expect(counted()[0]).toBe(collector.spans.length);
  });

  it.each(['nonsense', 'trickle', 'flood', 'redirect'] as const)(
    'that responds with %s neither fails nor delays the process',
    async (kind) => {
      const hostile = await startHostileCollector(kind);
      try {
        await start({ OTEL_EXPORTER_OTLP_ENDPOINT: hostile.url, OTEL_EXPORTER_OTLP_TIMEOUT: 500 });
        for (let round = 1; round <= 2; round += 1) {
          startTrace('request', server()).end();
          await hostile.requested(round);
        }
        await stop();
      } finally {
        hostile.stop();
      }
      expect(startTrace('request', server()).isRecording()).toBe(false);
    },
  );

  it('that never responds does not keep the process from ending', async () => {
    await start();
    collector.stall();
    startTrace('request', server()).end();
    await stop();
    expect(startTrace('request', server()).isRecording()).toBe(false);
  });

  it('that refuses is reported once, not for every batch', async () => {
    await start();
    const before = { ...spanCounts };
    collector.respondWith(400);
    for (let round = 1; round <= 3; round += 1) {
      startTrace('request', server()).end();
      await collector.waitFor(() => (collector.bodies.length >= round ? true : undefined));
    }
    await stop();
    expect(warnings).toEqual(['traces cannot be sent, and are lost']);
    expect(spanCounts.lost - before.lost).toBe(3);
  });
});
