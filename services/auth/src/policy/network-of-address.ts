import { isIPv4, isIPv6 } from 'node:net';

/**
 * What counts as one sender: an IPv4 address, or the /64 network of an IPv6 one, because whoever has
 * one IPv6 address has all 2^64 of its network. IPv4 addresses in IPv6 dress count as IPv4.
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

/** The eight groups of an IPv6 address; `::` stands for as many zeros as are missing. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = dottedToGroups(address).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
};

/** `::ffff:192.0.2.1` ends in two groups written as four bytes. */
const dottedToGroups = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
