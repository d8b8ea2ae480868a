import type { CompanyId } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../deps.ts';

type Named = Pick<Author, 'kind' | 'id'>;

/** Names of authors of a company by id; an author without one is missing. */
export type AuthorNames = (
  companyId: CompanyId,
  authors: readonly Named[],
) => Promise<ReadonlyMap<string, string>>;

const ttlMs = 60_000;
const entriesMax = 2_000;

/**
 * Looks up names, and keeps them for a minute: an agent that reads note after note would otherwise cost the agents
 * service a request each. `describeRecent` keeps them for seconds only, because people who have just renamed an agent
 * look for its new name. Entries belong to a company. While the agents service is unavailable authors have no names,
 * because a note without them is still useful.
 */
export const createAuthorNames = ({
  describeAuthors,
  log,
}: Pick<Deps, 'describeAuthors' | 'log'>): AuthorNames => {
  const cache = new LRUCache<string, { readonly name: string | null }>({
    max: entriesMax,
    ttl: ttlMs,
  });
  return async (companyId, authors) => {
    const keyOf = ({ id }: Named) => `${companyId} ${id}`;
    const unknown = authors.filter((author) => !cache.has(keyOf(author)));
    if (unknown.length > 0) {
      try {
        const { names } = await describeAuthors({ companyId, agentId: null, authors: unknown });
        unknown.forEach((author) => cache.set(keyOf(author), { name: names[author.id] ?? null }));
      } catch (error) {
        log.warn({ err: error }, 'authors are shown without names');
      }
    }
    return new Map(
      authors.flatMap((author) => {
        const name = cache.get(keyOf(author))?.name ?? null;
        return name === null ? [] : [[author.id, name] as const];
      }),
    );
  };
};
