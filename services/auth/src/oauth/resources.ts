/**
 * The resource that a client means, in our spelling: case of scheme and host, the default port and one slash at the end
 * make no difference. Anything else is returned as it is, and refused by the library.
 */
export const canonicalResource = (given: string, resources: readonly string[]): string => {
  const normalized = normalize(given);
  return resources.find((resource) => normalize(resource) === normalized) ?? given;
};

const normalize = (text: string): string => {
  const url = URL.parse(text);
  // A query, a fragment or credentials name another resource.
  if (!url || text.includes('?') || text.includes('#') || text.includes('@')) {
    return text;
  }
  const { protocol, host, pathname } = url;
  // The parser would also remove dot segments and escape characters; only what is spelled like ours may match.
  const path = /^[a-z]+:\/\/[^/]*(\/.*)?$/i.exec(text)?.[1] ?? '/';
  return path === pathname || path === '/'
    ? `${protocol}//${host}${path.replace(/\/$/, '')}`
    : text;
};
