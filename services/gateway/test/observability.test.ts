import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { pino } from 'pino';
import { startGatewayMetrics } from '../src/observability/metrics.ts';
import { createCounters } from '../src/observability/counters.ts';
import { ask } from './send-request.ts';
import { giveKey, giveSession, newCompany, startWorld } from './world.ts';

/** A log whose lines the test can read. */
const openLog = () => {
  const lines: string[] = [];
  const into = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  return { log: pino({ level: 'info' }, into), lines };
};

test('a request leaves one line: ids, declared route and reason, and nothing anybody sent', async () => {
  const { log, lines } = openLog();
  const world = await startWorld({}, { log });
  const key = giveKey(world.knowledge);
  const session = giveSession(world.knowledge, [newCompany()]);
  const noteId = newId();
  lines.length = 0;
  await ask(world.port, `/api/things/${noteId}?q=secret-search`, {
    headers: { authorization: key.bearer, 'user-agent': 'secret-agent' },
  });
  await ask(world.port, '/api/things', {
    headers: { cookie: session.cookie, 'x-company-id': newCompany() },
  });
  await world.stop();
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

test('a service that fails leaves its cause in the log, and not in the answer', async () => {
  const { log, lines } = openLog();
  const world = await startWorld({ NOTES_URL: 'http://127.0.0.1:9' }, { log });
  const { bearer: authorization } = giveKey(world.knowledge);
  const { text } = await ask(world.port, '/api/things', { headers: { authorization } });
  await world.stop();
  expect(lines.join('')).toContain('ECONNREFUSED');
  expect(text).not.toContain('ECONNREFUSED');
});

test('the metrics count requests by declared route, and hits of the verification cache', async () => {
  const counters = createCounters();
  const { log } = openLog();
  const metrics = await startGatewayMetrics({ host: '127.0.0.1', port: 0, log, counters });
  const world = await startWorld({}, { onAnswered: metrics.onAnswered, counters });
  const { bearer: authorization } = giveKey(world.knowledge);
  await ask(world.port, `/api/things/${newId()}`, { headers: { authorization } });
  await ask(world.port, `/api/things/${newId()}`, { headers: { authorization } });
  await world.stop();
  const { text } = await ask(metrics.port, '/metrics');
  metrics.stop();
  expect(text).toContain(
    'gateway_request_duration_seconds_count{route="/api/things/{id}",status="200"} 2',
  );
  expect(text).toContain('gateway_verifications_total{result="hit"} 1');
  expect(text).toContain('gateway_verifications_total{result="miss"} 1');
});
