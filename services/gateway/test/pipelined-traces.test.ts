import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLog } from '@commonplace/http/core';
import { startTraceCollector, type TraceCollector } from '@commonplace/testkit';
import { startTracing } from '@commonplace/tracing';
import { addKey, startGateway, type TestGateway } from './start-gateway.ts';

let collector: TraceCollector;
let gateway: TestGateway;
let stopTracing: () => Promise<void>;
beforeAll(async () => {
  collector = await startTraceCollector();
  stopTracing = await startTracing(
    'gateway',
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: '',
      OTEL_EXPORTER_OTLP_TIMEOUT: 10_000,
      OTEL_SERVICE_NAME: 'test',
      OTEL_RESOURCE_ATTRIBUTES: '',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    createLog('gateway', 'silent'),
  );
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.stop();
  await stopTracing();
  collector.stop();
});

const traceId = '0af7651916cd43dd8448eb211c80319c';

/** A request with a key that the gateway has to look up. */
const requestOf = (traceparent: string, ...lines: readonly string[]): string => {
  const { bearer } = addKey(gateway.data);
  const all = [
    'GET /api/agents/me HTTP/1.1',
    'Host: a',
    `Authorization: ${bearer}`,
    `traceparent: ${traceparent}`,
    ...lines,
  ];
  return `${all.join('\r\n')}\r\n\r\n`;
};

it('what a pipelined request does is never in the trace of the one before', async () => {
  const untraced = `00-${'1'.repeat(32)}-b7ad6b7169203331-00`;
  const socket = connect(gateway.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.write(
    [
      requestOf(untraced),
      requestOf(`00-${traceId}-b7ad6b7169203331-01`),
      requestOf(untraced, 'Connection: close'),
    ].join(''),
  );
  await once(socket, 'close');
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
  await stopTracing();
  const spans = await collector.waitFor((all) =>
    all.some(({ name }) => name === 'lookup') ? all : undefined,
  );
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(spans.filter(({ name }) => name === 'lookup')).toHaveLength(1);
});
