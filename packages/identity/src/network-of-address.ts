import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network that per-address limits count by: an IPv4 address, or the /64 of an IPv6 address, because one
 * client usually controls all 2^64 addresses of it. IPv4-mapped IPv6 addresses count as IPv4, in decimal or
 * hexadecimal notation, and zone ids are dropped. Text that is not an address is returned as it is.
 */
export const networkOfAddress = (address: string): string => {
  const [bare = ''] = address.split('%');
  if (isIPv4(bare) || !isIPv6(bare)) {
    return bare;
  }
  const groups = groupsOf(bare);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};

/** The eight groups of an IPv6 address, with `::` expanded. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = dottedToGroups(address).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
};

/** Rewrites the dotted quad at the end of `::ffff:192.0.2.1` as two hexadecimal groups. */
const dottedToGroups = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
