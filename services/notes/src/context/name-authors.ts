import type { CompanyId } from '@commonplace/contracts/core';
import type { Author, NamedAuthor } from '@commonplace/contracts/notes';
import type { Deps } from '../deps.ts';

/** Gives an author its name. */
export type NameAuthor = (author: Author) => NamedAuthor;

type NamingDeps = Pick<Deps, 'describeAuthors' | 'log'>;

/**
 * Reads the names of authors in one request. While the agents service is unavailable they have none, because a list
 * without names is still useful.
 */
export const nameAuthors = async (
  { describeAuthors, log }: NamingDeps,
  companyId: CompanyId,
  authors: readonly Author[],
): Promise<NameAuthor> => {
  const names =
    authors.length === 0
      ? {}
      : await describeAuthors({ companyId, agentId: null, authors }).then(
          (described) => described.names,
          (error: unknown) => {
            log.warn({ err: error }, 'authors are listed without names');
            return {};
          },
        );
  const nameById = new Map(Object.entries(names));
  return (author) => ({ ...author, name: nameById.get(author.id) ?? null });
};
