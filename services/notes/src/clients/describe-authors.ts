import { agentId, operatorId, type AgentId, type CompanyId } from '@commonplace/contracts/core';
import { describeAuthorsContract, type DescribedAgent } from '@commonplace/contracts/internal';
import type { Author } from '@commonplace/contracts/notes';
import type { ServiceClient } from '@commonplace/http';

type AuthorsRequest = {
  readonly companyId: CompanyId;
  /** The agent to describe; null: none. */
  readonly agentId: AgentId | null;
  /** Whose names are needed. */
  readonly authors: readonly Pick<Author, 'kind' | 'id'>[];
};

/** Describes an agent, and names authors by id. Unknown authors have no name. */
export type DescribeAuthors = (request: AuthorsRequest) => Promise<{
  readonly agent: DescribedAgent | null;
  readonly names: Readonly<Record<string, string>>;
}>;

/** Reads them from the agents service, in one request. */
export const createAuthorLookup =
  (callAgents: ServiceClient): DescribeAuthors =>
  ({ companyId, agentId: id, authors }) => {
    const idsOf = (kind: Author['kind']) => [
      ...new Set(authors.filter((author) => author.kind === kind).map((author) => author.id)),
    ];
    return callAgents(describeAuthorsContract, {
      companyId,
      agentId: id,
      agentIds: idsOf('agent').map((each) => agentId.parse(each)),
      operatorIds: idsOf('operator').map((each) => operatorId.parse(each)),
    });
  };
