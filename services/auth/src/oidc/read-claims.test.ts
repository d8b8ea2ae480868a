import { describe, expect, it } from '@jest/globals';
import { ZodError } from 'zod';
import { readClaims } from './read-claims.ts';

const claims = { iss: 'https://provider.example', sub: 'person' };

describe('the claims of a provider', () => {
  it.each([1e15, -1, 1.5, '1700000000', Number.MAX_SAFE_INTEGER])(
    'are refused with the sign-in time %s, which is none',
    (time) => {
      expect(() => readClaims({ ...claims, auth_time: time }, 'token')).toThrow(ZodError);
    },
  );

  it('may have no sign-in time, and the last second of the year 9999', () => {
    expect(readClaims(claims, 'token').authenticatedAt).toBeNull();
    const last = readClaims({ ...claims, auth_time: 253_402_300_799 }, 'token');
    expect(last.authenticatedAt?.toISOString()).toBe('9999-12-31T23:59:59.000Z');
  });

  it('hold nothing that cannot be stored', () => {
    expect(() => readClaims({ ...claims, sub: 'per\u0000son' }, 'token')).toThrow(ZodError);
    const odd = readClaims({ ...claims, sid: '\ud800', amr: ['\u0000'] }, 'token');
    expect([odd.sid, odd.amr]).toEqual([null, []]);
  });
});
