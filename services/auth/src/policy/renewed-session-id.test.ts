import { describe, expect, it } from '@jest/globals';
import { newId, sessionId } from '@commonplace/contracts/core';
import { renewedSessionId } from './renewed-session-id.ts';

const first = sessionId.parse(newId());

describe('renewedSessionId', () => {
  it('is another UUIDv7 of the same time, also again', () => {
    const second = renewedSessionId(first);
    const third = renewedSessionId(second);
    expect(new Set([first, second, third]).size).toBe(3);
    for (const id of [second, third]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id.slice(0, 13)).toBe(first.slice(0, 13));
    }
  });

  it('sorts before the ids of sessions that began later', () => {
    const later = sessionId.parse('ffffffff-ffff-7000-8000-000000000000');
    expect(renewedSessionId(first) < later).toBe(true);
  });
});
