import { describe, expect, it } from '@jest/globals';
import { newRequestId } from './request-id.ts';

describe('newRequestId', () => {
  it('is a UUIDv7 of the given time', () => {
    const atMs = Date.parse('2026-11-21T06:00:00.123Z');
    const id = newRequestId(atMs);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(atMs);
  });

  it('is another one every time', () => {
    const ids = Array.from({ length: 10_000 }, () => newRequestId(1));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
