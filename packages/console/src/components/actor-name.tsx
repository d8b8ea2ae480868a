import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { allAgentsQuery } from '../api/agent-queries.ts';
import { membersQuery } from '../api/company-queries.ts';
import { itemsOf } from '../api/pages.ts';
import { useCompanyId } from '../app/use-company-id.ts';

type ActorNameProps = { readonly actor: { readonly kind: string; readonly id: string } };

/** The name of an actor, or its kind if it is not in the company any more. */
export const ActorName = ({ actor: { kind, id } }: ActorNameProps) => {
  const companyId = useCompanyId();
  const { data: agents = [] } = useQuery(allAgentsQuery(companyId));
  const members = itemsOf(useInfiniteQuery(membersQuery(companyId)).data);
  const name =
    kind === 'agent'
      ? agents.find((agent) => agent.id === id)?.name
      : members.find(({ operatorId }) => operatorId === id)?.name;
  return name ?? `an ${kind}`;
};
