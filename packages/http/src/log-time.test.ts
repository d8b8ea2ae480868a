import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { logTime } from './log-time.ts';

test('the time of a line is the time it was given, whatever times came before', () => {
  const aroundNow = fc.integer({ min: 0, max: Date.parse('2100-01-01T00:00:00Z') });
  const nearby = fc.array(fc.integer({ min: -2_000, max: 2_000 }), { minLength: 1 });
  fc.assert(
    fc.property(aroundNow, nearby, (startMs, steps) => {
      for (const step of steps) {
        const nowMs = Math.max(0, startMs + step);
        expect(logTime(nowMs)).toBe(`,"time":"${new Date(nowMs).toISOString()}"`);
      }
    }),
  );
});
