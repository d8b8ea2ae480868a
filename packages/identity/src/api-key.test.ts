import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigests,
  apiKeyPrefix,
  isWellFormedApiKey,
  makeApiKey,
  pepperKeys,
} from './api-key.ts';

const knownKey = 'cpk_00000000000000000000000000000000000000000012NTwow';

describe('an API key', () => {
  it('is well-formed, always of one length, and never the same twice', () => {
    const keys = Array.from({ length: 500 }, makeApiKey);
    expect(keys.every(isWellFormedApiKey)).toBe(true);
    expect(new Set(keys.map((key) => key.length))).toEqual(new Set([53]));
    expect(new Set(keys).size).toBe(500);
  });

  it('is refused with any one character changed, cut off, added or swapped', () => {
    const key = makeApiKey();
    const broken = Array.from(key, (character, index) => {
      const other = character === 'a' ? 'b' : 'a';
      return key.slice(0, index) + other + key.slice(index + 1);
    });
    for (const text of [...broken, key.slice(1), key.slice(0, -1), `${key}0`, `${key}\n`, '']) {
      expect(isWellFormedApiKey(text)).toBe(false);
    }
  });

  it('keeps a known checksum, because keys outlive releases', () => {
    expect(isWellFormedApiKey(`cpk_${'0'.repeat(43)}${'0'.repeat(6)}`)).toBe(false);
    expect(isWellFormedApiKey(knownKey)).toBe(true);
  });

  it('shows no more than ten characters of itself', () => {
    expect(apiKeyPrefix(knownKey)).toBe('cpk_000000');
  });
});

describe('the digests of a key', () => {
  it('are HMAC-SHA256 of the whole key under each pepper, the current one first', () => {
    const secrets: [string, string] = ['pepper-one-of-32-bytes-or-a-bit-more', 'pepper-two'];
    const expected = secrets.map((secret) =>
      createHmac('sha256', secret).update(knownKey).digest('hex'),
    );
    expect(apiKeyDigests(pepperKeys(secrets), knownKey)).toEqual(expected);
  });
});
