import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { pino } from 'pino';
import { startGatewayMetrics } from '../src/observability/metrics.ts';
import { createCounters } from '../src/observability/counters.ts';
import { sendRequest } from './send-request.ts';
import { addKey, addSession, newCompany, startGateway } from './start-gateway.ts';

/** A log that keeps its lines for the test. */
const createTestLog = () => {
  const lines: string[] = [];
  const into = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: 'info' }, into), lines };
};

test('a request logs one line with ids, declared route and reason, and nothing that the client sent', async () => {
  const { log, lines } = createTestLog();
  const gateway = await startGateway({}, { log });
  const key = addKey(gateway.data);
  const session = addSession(gateway.data, [newCompany()]);
  const noteId = newId();
  lines.length = 0;
  await sendRequest(gateway.port, `/api/things/${noteId}?q=secret-search`, {
    headers: { authorization: key.bearer, 'user-agent': 'secret-agent' },
  });
  await sendRequest(gateway.port, '/api/things', {
    headers: { cookie: session.cookie, 'x-company-id': newCompany() },
  });
  await gateway.stop();
  const [read, refused] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toHaveLength(2);
  expect(read).toMatchObject({
    msg: 'request',
    method: 'GET',
    route: '/api/things/{id}',
    status: 200,
    agentId: key.agentId,
    keyId: key.keyId,
    companyId: key.companyId,
    requestId: expect.any(String),
    durationMs: expect.any(Number),
  });
  expect(refused).toMatchObject({
    status: 403,
    reason: 'cross_company',
    operatorId: session.operatorId,
  });
  for (const secret of [key.bearer.slice(7), session.cookie, 'secret-', noteId]) {
    expect(lines.join('')).not.toContain(secret);
  }
});

test('the cause of a service failure is in the log and not in the response', async () => {
  const { log, lines } = createTestLog();
  const gateway = await startGateway({ NOTES_URL: 'http://127.0.0.1:9' }, { log });
  const { bearer: authorization } = addKey(gateway.data);
  const { text } = await sendRequest(gateway.port, '/api/things', { headers: { authorization } });
  await gateway.stop();
  expect(lines.join('')).toContain('ECONNREFUSED');
  expect(text).not.toContain('ECONNREFUSED');
});

test('the metrics keep event streams apart, whose duration says nothing about the service', async () => {
  const counters = createCounters();
  const { log } = createTestLog();
  const metrics = await startGatewayMetrics({ host: '127.0.0.1', port: 0, log, counters });
  const gateway = await startGateway({}, { onResponse: metrics.onResponse, counters });
  const { bearer: authorization } = addKey(gateway.data);
  await sendRequest(gateway.port, '/api/things/feed', { headers: { authorization } });
  await sendRequest(gateway.port, '/api/events', { headers: { authorization } });
  await sendRequest(gateway.port, '/api/events', {
    headers: { authorization, 'mcp-method': 'subscriptions/listen' },
  });
  await gateway.stop();
  const { text } = await sendRequest(metrics.port, '/metrics');
  metrics.stop();
  const counts = text
    .match(/(?<=gateway_request_duration_seconds_count){route="\/api.*/g)
    ?.toSorted();
  expect(counts).toEqual(
    [
      '{route="/api/events",status="200"} 1',
      '{route="/api/events",status="200",kind="stream"} 1',
      '{route="/api/things/feed",status="200",kind="stream"} 1',
    ].toSorted(),
  );
});

test('the metrics count requests by declared route, and hits and misses of the verification cache', async () => {
  const counters = createCounters();
  const { log } = createTestLog();
  const metrics = await startGatewayMetrics({ host: '127.0.0.1', port: 0, log, counters });
  const gateway = await startGateway({}, { onResponse: metrics.onResponse, counters });
  const { bearer: authorization } = addKey(gateway.data);
  await sendRequest(gateway.port, `/api/things/${newId()}`, { headers: { authorization } });
  await sendRequest(gateway.port, `/api/things/${newId()}`, { headers: { authorization } });
  await gateway.stop();
  const { text } = await sendRequest(metrics.port, '/metrics');
  metrics.stop();
  expect(text).toContain(
    'gateway_request_duration_seconds_count{route="/api/things/{id}",status="200"} 2',
  );
  expect(text).toContain('gateway_verifications_total{result="hit"} 1');
  expect(text).toContain('gateway_verifications_total{result="miss"} 1');
});
