import { describe, expect, it } from '@jest/globals';
import { isRepeatable, pauseAfter } from './retry-policy.ts';

const policy = { attempts: 5, baseDelayMs: 200, maxDelayMs: 1_000 };
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const after = (attempt: number, retryAfter: string | null = null, random = 1): number | null =>
  pauseAfter(policy, { attempt, retryAfter, nowMs, random });

describe('the pause between attempts', () => {
  it('doubles up to the longest, and none follows the last attempt', () => {
    expect([1, 2, 3, 4, 5].map((attempt) => after(attempt))).toEqual([200, 400, 800, 1_000, null]);
  });

  it('is at least half of its step and spread over the rest', () => {
    expect(after(1, null, 0)).toBe(100);
  });

  it.each([
    ['1', 1_000],
    ['Thu, 01 Jan 2026 00:00:01 GMT', 1_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 100],
    ['soon', 100],
  ])('honours Retry-After: %s', (retryAfter, expected) => {
    expect(after(1, retryAfter, 0)).toBe(expected);
  });

  it('is never shorter than asked: a wait beyond the limit is the caller’s to decide', () => {
    expect(after(1, '2')).toBeNull();
  });
});

describe('repeating', () => {
  it.each([
    ['GET', '/api/notes', true],
    ['PUT', '/api/notes/1', true],
    ['DELETE', '/api/notes/1', true],
    ['POST', '/api/sync', true],
    ['POST', '/api/runs/1/renew', true],
    ['POST', '/api/runs/1/finish', true],
    ['POST', '/api/runs/1/cancel', true],
    ['POST', '/api/agents/1/runs', false],
    ['POST', '/api/agents/1/keys', false],
    ['POST', '/api/auth/login', false],
    ['PATCH', '/api/agents/1', false],
  ])('%s %s: %s', (method, path, expected) => {
    expect(isRepeatable({ method, url: `http://127.0.0.1:8080${path}` })).toBe(expected);
  });
});
