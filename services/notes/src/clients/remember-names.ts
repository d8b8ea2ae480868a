import { LRUCache } from 'lru-cache';
import type { DescribeAuthors } from './describe-authors.ts';

/** A name that was changed is shown so much later. */
const ttlMs = 10_000;
const entriesMax = 10_000;

/**
 * Names authors by what was read in the last seconds: who decides about proposals decides about many, mostly of one
 * agent. Sends a request where one is missing, or an agent is to be described.
 */
export const rememberNames = (describeAuthors: DescribeAuthors): DescribeAuthors => {
  const cache = new LRUCache<string, string>({ max: entriesMax, ttl: ttlMs });
  return async (request) => {
    const { companyId, agentId, authors } = request;
    const keyOf = (id: string) => `${companyId} ${id}`;
    const known = authors.flatMap(({ id }) => {
      const name = cache.get(keyOf(id));
      return name === undefined ? [] : [[id, name] as const];
    });
    if (agentId === null && known.length === authors.length) {
      return { agent: null, names: Object.fromEntries(known) };
    }
    const described = await describeAuthors(request);
    Object.entries(described.names).forEach(([id, name]) => cache.set(keyOf(id), name));
    return described;
  };
};
