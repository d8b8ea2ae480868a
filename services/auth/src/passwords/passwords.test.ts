import { describe, expect, it } from '@jest/globals';
import { bcryptCost, createPasswords } from './passwords.ts';

const cost = 4;
const oldPepper = 'an older pepper of more than 32 bytes..';
const newPepper = 'a newer pepper of more than 32 bytes...';
const passwords = createPasswords({ peppers: [newPepper, oldPepper], cost });

describe('passwords', () => {
  it('verifies the password that was hashed, and no other', async () => {
    const stored = await passwords.hash('a good long password');
    expect(await passwords.verify('a good long password', stored)).toEqual({
      isMatch: true,
      isOutdated: false,
    });
    expect((await passwords.verify('a good long passwore', stored)).isMatch).toBe(false);
  });

  it('compares every byte: no cut at 72 bytes, no end at a NUL', async () => {
    const stem = 'x'.repeat(100);
    const long = await passwords.hash(`${stem}a`);
    expect((await passwords.verify(`${stem}b`, long)).isMatch).toBe(false);
    const withNul = await passwords.hash('before\u0000after');
    expect((await passwords.verify('before\u0000other', withNul)).isMatch).toBe(false);
  });

  it('treats the same letters in another Unicode form as the same password', async () => {
    const composed = await passwords.hash('pässwörter überall'.normalize('NFC'));
    const typed = 'pässwörter überall'.normalize('NFD');
    expect((await passwords.verify(typed, composed)).isMatch).toBe(true);
  });

  it('reports a hash with an old pepper or a lower cost as outdated', async () => {
    const former = await createPasswords({ peppers: [oldPepper], cost }).hash('a good password');
    const outdated = { isMatch: true, isOutdated: true };
    expect(await passwords.verify('a good password', former)).toEqual(outdated);
    const costlier = createPasswords({ peppers: [newPepper], cost: cost + 1 });
    const cheap = await passwords.hash('a good password');
    expect(await costlier.verify('a good password', cheap)).toEqual(outdated);
  });

  it('hashes with a cost of 12 in a running service', async () => {
    const { hash } = await createPasswords({ peppers: [newPepper], cost: bcryptCost }).hash('long');
    expect(hash).toMatch(/^\$2b\$12\$/);
  });

  it('matches neither a hash with a removed pepper nor a missing account', async () => {
    const gone = await createPasswords({ peppers: [oldPepper], cost }).hash('a good password');
    const without = createPasswords({ peppers: [newPepper], cost });
    expect((await without.verify('a good password', gone)).isMatch).toBe(false);
    expect((await without.verify('a good password', null)).isMatch).toBe(false);
  });

  it('takes as long for a missing account as for an existing one', async () => {
    const slow = createPasswords({ peppers: [newPepper], cost: 9 });
    const stored = await slow.hash('a good password');
    const timeOf = async (work: () => Promise<unknown>) => {
      const times: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const startedAt = performance.now();
        await work();
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    };
    const known = await timeOf(() => slow.verify('wrong', stored));
    const unknown = await timeOf(() => slow.verify('wrong', null));
    // Without the comparison the ratio would be a thousandth; the margins allow for a busy machine.
    expect(unknown).toBeGreaterThan(known * 0.3);
    expect(unknown).toBeLessThan(known * 3);
  });

  it('runs two at once, queues sixteen, and rejects more with 503', async () => {
    const attempts = Array.from({ length: 20 }, () => passwords.hash('a good password'));
    const settled = await Promise.allSettled(attempts);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { code: 'busy', headers: { 'Retry-After': '2' } } });
  });
});
