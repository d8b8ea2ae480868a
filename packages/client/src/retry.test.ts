import { describe, expect, it } from '@jest/globals';
import { ProblemError } from './problem-error.ts';
import { isRepeatable, reconnectDelay, retryDelay } from './retry.ts';

const policy = { attempts: 5, baseDelayMs: 200, maxDelayMs: 1_000 };
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const delay = (attempt: number, retryAfter: string | null = null, random = 1): number | null =>
  retryDelay(policy, { attempt, retryAfter, nowMs, random });

describe('the delay between the attempts of a request', () => {
  it('doubles up to its limit, and the last attempt has none', () => {
    expect([1, 2, 3, 4, 5].map((attempt) => delay(attempt))).toEqual([200, 400, 800, 1_000, null]);
  });

  it('is between half of its step and all of it', () => {
    expect(delay(1, null, 0)).toBe(100);
  });

  it.each([
    ['1', 1_000],
    ['Thu, 01 Jan 2026 00:00:01 GMT', 1_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 100],
    ['soon', 100],
  ])('honours Retry-After: %s', (retryAfter, expected) => {
    expect(delay(1, retryAfter, 0)).toBe(expected);
  });

  it('is null when Retry-After exceeds the limit: the caller decides whether to wait', () => {
    expect(delay(1, '2')).toBeNull();
  });
});

describe('a request that may be sent again', () => {
  it.each([
    ['GET', '/api/notes', true],
    ['PUT', '/api/notes/1', true],
    ['DELETE', '/api/notes/1', true],
    ['POST', '/api/sync', true],
    ['POST', '/api/context', true],
    ['POST', '/api/notes/read', true],
    ['POST', '/api/notes/1/conflicts/2/resolve', true],
    ['POST', '/api/notes/1/restore', false],
    ['POST', '/api/runs/1/renew', true],
    ['POST', '/api/runs/1/finish', true],
    ['POST', '/api/runs/1/cancel', true],
    ['POST', '/api/agents/1/runs', false],
    ['POST', '/api/agents/1/keys', false],
    ['POST', '/api/auth/login', false],
    ['POST', '/api/auth/logout', true],
    ['PATCH', '/api/agents/1', false],
  ])('%s %s: %s', async (method, path, expected) => {
    const request = new Request(`http://127.0.0.1:8080${path}`, { method });
    expect(await isRepeatable(request)).toBe(expected);
  });

  const mutationId = { body: { mutationId: 'm' } };
  const key = { headers: { 'Idempotency-Key': 'k' } };
  const edits = { method: 'PATCH', path: '/api/notes/1', body: {}, headers: {} };
  const creation = { ...edits, method: 'POST', path: '/api/notes' };

  it.each([
    ['edits with a mutationId', { ...edits, ...mutationId }, true],
    ['edits without one', edits, false],
    ['a mutationId elsewhere', { ...edits, ...mutationId, path: '/api/agents/1' }, false],
    ['a creation with a key', { ...creation, ...key }, true],
    ['a creation without one', creation, false],
    ['a restore with a key', { ...creation, ...key, path: '/api/notes/1/restore' }, true],
    ['a restore without one', { ...creation, path: '/api/notes/1/restore' }, false],
    ['edits with a key', { ...edits, ...key }, true],
    ['a report of usage', { ...creation, path: '/api/runs/1/usage' }, true],
    ['a key elsewhere', { ...creation, ...key, path: '/api/agents/1/keys' }, false],
  ] as const)('%s', async (_, { method, path, body, headers }, expected) => {
    const init = { method, headers, body: JSON.stringify(body) };
    const request = new Request(`http://127.0.0.1:8080${path}`, init);
    expect(await isRepeatable(request)).toBe(expected);
    expect(await request.json()).toEqual(body);
  });
});

const networkError = new TypeError('fetch failed');
const problem = (status: number, retryAfter?: string): ProblemError =>
  new ProblemError(
    new Response(null, { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} }),
    {},
  );

const longestDelay = (error: unknown, random = 1): number =>
  Math.max(
    ...Array.from({ length: 40 }, (_, failures) =>
      reconnectDelay({ failures, error, maxDelayMs: 30_000, random }),
    ),
  );

describe('the delay before the next attempt of a loop', () => {
  it('is at most three seconds while the server is unavailable, for however long', () => {
    const timeout = new DOMException('timed out', 'TimeoutError');
    for (const error of [networkError, timeout, problem(502), problem(503), problem(504)]) {
      expect(longestDelay(error)).toBe(3_000);
    }
    expect(longestDelay(problem(503, '1'))).toBe(4_000);
  });

  it('grows to its limit when the server is available', () => {
    for (const error of [null, new Error('disk full'), problem(409), problem(500)]) {
      expect(longestDelay(error)).toBe(30_000);
    }
  });

  it('is at least Retry-After plus half of a step', () => {
    const attempt = { failures: 1, error: problem(429, '20'), maxDelayMs: 30_000, random: 0 };
    expect(reconnectDelay(attempt)).toBe(20_250);
    expect(reconnectDelay({ ...attempt, error: networkError })).toBe(250);
    expect(reconnectDelay({ ...attempt, error: null, failures: 0 })).toBe(125);
  });
});
