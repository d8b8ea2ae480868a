import { describe, expect, it } from '@jest/globals';
import { networkOfAddress } from './network-of-address.ts';

describe('networkOfAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (address, network) => {
    expect(networkOfAddress(address)).toBe(network);
  });

  it('distinguishes networks', () => {
    expect(networkOfAddress('2001:db8:1:2::1')).not.toBe(networkOfAddress('2001:db8:1:3::1'));
  });
});
