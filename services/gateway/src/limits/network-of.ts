/** What counts as one client: an IPv4 address, or a /64 of IPv6, which one household or server has whole. */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) {
    return address;
  }
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const tailGroups = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - tailGroups.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...tailGroups].slice(0, 4).join(':');
};
