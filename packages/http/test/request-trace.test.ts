import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { agentId, keyId, noteId, routeContract } from '@commonplace/contracts';
import { activeSpan, startTracing, traceIdOf } from '@commonplace/tracing';
import { z } from 'zod';
import { createLog, defineRoute, reply, serve } from '../src/index.ts';
import { companyA, exampleApp, headersOf, ownNote } from './example-app.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';

const headers = headersOf({
  kind: 'agent',
  agentId: agentId.parse('0198a000-0000-7000-8000-0000000000d1'),
  agentName: 'Ada',
  agentStatus: 'active',
  companyId: companyA,
  keyId: keyId.parse('0198a000-0000-7000-8000-0000000000e1'),
  runId: null,
  scopes: null,
  expiresAt: null,
});

const readExample = routeContract({
  operationId: 'readExample',
  service: 'notes',
  method: 'get',
  path: '/api/examples/{id}',
  tag: 'Examples',
  summary: 'Read an example',
  params: z.object({ id: noteId }),
  responses: { 200: { description: 'An example', schema: z.object({ id: noteId }) } },
  errors: [],
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'own_company',
    scope: 'notes:read',
    operators: 'viewer',
    entities: { id: 'note' },
  },
});

const requestOf = (flags: string, ...lines: readonly string[]): string => {
  const all = [
    `GET /api/examples/${ownNote} HTTP/1.1`,
    'Host: a',
    ...Object.entries(headers).map((header) => header.join(': ')),
    `traceparent: 00-${traceId}-b7ad6b7169203331-${flags}`,
    ...lines,
  ];
  return `${all.join('\r\n')}\r\n\r\n`;
};

it('a pipelined request that is not traced does not begin in the trace of the one before', async () => {
  const log = createLog('example', 'silent');
  const stopTracing = await startTracing(
    'example',
    {
      // Nobody listens there: this test looks at the spans in the process.
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_HEADERS: '',
      OTEL_EXPORTER_OTLP_TIMEOUT: 100,
      OTEL_SERVICE_NAME: 'test',
      OTEL_RESOURCE_ATTRIBUTES: '',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      OTEL_TRACES_SAMPLER_ARG: 1,
    },
    log,
  );
  /** The trace in which each request took the time, as it begins and after it found its company. */
  const traces: (string | undefined)[] = [];
  const app = exampleApp({
    routes: [defineRoute(readExample, async ({ params: { id } }) => reply(200, { id }))],
    nowMs: () => {
      traces.push(traceIdOf(activeSpan()));
      return Date.now();
    },
  });
  let received = '';
  const running = await serve({ app, host: '127.0.0.1', port: 0, log });
  try {
    const socket = connect(running.port, '127.0.0.1');
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(requestOf('00') + requestOf('01') + requestOf('00', 'Connection: close'));
    await once(socket, 'close');
  } finally {
    running.server.close();
    running.server.closeAllConnections();
    await stopTracing();
  }
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
  expect(traces).toEqual([undefined, undefined, traceId, traceId, undefined, undefined]);
});
