import { describe, expect, it } from '@jest/globals';
import { createUnverifiedLookupLimit } from './unverified-lookup-limit.ts';

describe('the limit on unverified lookups', () => {
  const fullLimit = () => {
    const limit = createUnverifiedLookupLimit({ nowMs: () => 0, monotonicMs: () => 0 });
    const drain = (address: string) => {
      for (let count = 0; count < 500; count += 1) {
        limit.admit(address);
      }
    };
    return { limit, drain };
  };

  it('counts a whole IPv6 /64 as one, and IPv4 addresses one by one', () => {
    const { limit, drain } = fullLimit();
    drain('2001:db8:0:1::1');
    expect(() => limit.admit('2001:db8:0:1:ffff::2')).toThrow(
      expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } }),
    );
    expect(() => limit.admit('2001:db8:0:2::1')).not.toThrow();
    drain('192.0.2.1');
    expect(() => limit.admit('192.0.2.1')).toThrow('Too many requests');
    expect(() => limit.admit('192.0.2.2')).not.toThrow();
  });

  it('counts an address as the same one in every notation', () => {
    for (const [address, notation, other] of [
      ['192.0.2.1', '::ffff:c000:201', '::ffff:c000:202'],
      ['2001:db8::1', '2001:0DB8:0000:0::2', '2001:db8:0:1::2'],
      ['fe80::1%eth0', 'fe80::2%eth1', 'fe80:0:0:1::1%eth0'],
    ] as const) {
      const { limit, drain } = fullLimit();
      drain(address);
      expect(() => limit.admit(notation)).toThrow('Too many requests');
      expect(() => limit.admit(other)).not.toThrow();
    }
  });
});
